import { describe, expect, it } from '@jest/globals';
import { viewOf } from '../../../lib/api-contract/file-kinds.ts';
import { excerpt, linePieces } from '../../../web/files/line-pieces.ts';
import { readNotebook } from '../../../web/files/notebook/read-notebook.ts';
import { cellText } from '../../../web/files/parquet/cell-text.ts';
import { markOf, placeOf, readFilesSearch } from '../../../web/files/place.ts';
import { markedCells, readSheets } from '../../../web/files/sheets.ts';
import { languageOf } from '../../../web/parts/code/language-of.ts';

describe('viewOf', () => {
  it.each([
    ['a/b.PDF', 'pdf'],
    ['a.html', 'html'],
    ['a.ipynb', 'notebook'],
    ['a.xlsx', 'document'],
    ['a.parquet', 'parquet'],
    ['a.tsv', 'table'],
    ['a.svg', 'text'],
    ['a.doc', 'other'],
    ['Makefile', 'text'],
  ])('shows %s as %s', (path, kind) => {
    expect(viewOf(path)).toBe(kind);
  });

  it('recognizes the language of code', () => {
    expect(['a.py', 'src/x.TS', 'Makefile', 'a.txt'].map(languageOf)).toEqual([
      'python',
      'typescript',
      'makefile',
      undefined,
    ]);
  });
});

describe('markedCells', () => {
  it.each([
    ['the cell with the quote', [7, 11], [1]],
    ['all cells of a quoted row', [0, 18], [0, 1, 2]],
    ['no separator between two cells', [4, 7], []],
  ] as const)('marks %s', (_, [start, end], places) => {
    expect([...markedCells('Koko | 12 m | tall', [start, end])]).toEqual(places);
  });
});

describe('excerpt', () => {
  it.each([0, 19_990, 45_000, 89_995])('shows the quote at column %d of a truncated line', (from) => {
    const line = `${'x'.repeat(from)}quote${'x'.repeat(90_000 - from)}`;
    const pieces = excerpt(line, [from, from + 5]);
    expect(pieces.filter(({ isMarked }) => isMarked).map(({ text }) => text)).toEqual(['quote']);
    expect(pieces.map(({ text }) => text).join('').length).toBeLessThan(20_010);
  });
});

describe('linePieces', () => {
  it('splits tokens at the start and the end of the mark', () => {
    const tokens = [{ text: 'const', kind: 'keyword' }, { text: ' night = 1' }];
    expect(linePieces(tokens, [3, 8])).toEqual([
      { text: 'con', kind: 'keyword', isMarked: false },
      { text: 'st', kind: 'keyword', isMarked: true },
      { text: ' ni', isMarked: true },
      { text: 'ght = 1', isMarked: false },
    ]);
  });

  it('keeps tokens whole without a mark', () => {
    expect(linePieces([{ text: 'ab' }, { text: '' }], undefined)).toEqual([{ text: 'ab', isMarked: false }]);
  });
});

describe('readNotebook', () => {
  it('limits the cells and outputs to what a browser can draw', () => {
    const outputs = Array.from({ length: 50 }, () => ({ output_type: 'stream', text: 'a' }));
    const cells = Array.from({ length: 3_000 }, () => ({ cell_type: 'code', source: 'x', outputs }));
    const read = readNotebook(JSON.stringify({ cells })) ?? [];
    expect(read).toHaveLength(2_000);
    expect(read.flatMap((cell) => cell.outputs)).toHaveLength(5_000);
  });

  it('reads cells and their outputs', () => {
    const outputs = [
      { output_type: 'stream', text: ['a\n', '\u001B[31mb\u001B[0m'] },
      { output_type: 'display_data', data: { 'image/png': 'aGk=', 'text/plain': 'x' } },
      { output_type: 'execute_result', data: { 'text/html': '<b>1</b>', 'text/plain': '1' } },
      { output_type: 'error', ename: 'E', evalue: 'why', traceback: [] },
    ];
    const cells = [
      { cell_type: 'markdown', source: ['# A\n', 'b'] },
      { cell_type: 'code', source: 'x', outputs },
    ];
    expect(readNotebook(JSON.stringify({ cells }))).toEqual([
      { kind: 'markdown', source: '# A\nb', outputs: [] },
      {
        kind: 'code',
        source: 'x',
        outputs: [
          { kind: 'text', text: 'a\nb' },
          { kind: 'image', type: 'image/png', base64: 'aGk=' },
          { kind: 'text', text: '1' },
          { kind: 'error', text: 'E: why' },
        ],
      },
    ]);
  });

  it.each(['', '{', '[]', '{"cells": 1}', 'null'])('rejects %j', (text) => {
    expect(readNotebook(text)).toBeUndefined();
  });

  it('treats malformed cells as empty', () => {
    const odd = [null, 1, { source: { a: 1 }, outputs: [null, { data: [] }] }];
    const empty = { kind: 'raw', source: '', outputs: [] };
    expect(readNotebook(JSON.stringify({ cells: odd }))).toEqual([empty, empty, empty]);
  });
});

describe('cellText', () => {
  it.each([
    [null, ''],
    [12n, '12'],
    [{ a: 1n, b: new Uint8Array(3) }, '{"a":1,"b":"(3 B)"}'],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [new Date(Number.NaN), ''],
    ['x'.repeat(600), 'x'.repeat(500)],
  ])('shows %p', (value, text) => {
    expect(cellText(value)).toBe(text);
  });
});

describe('readSheets', () => {
  it('converts the lines of each sheet to rows', () => {
    const text = 'One\na | b\n1 | 2\n\n\f\nTwo\nc';
    const parts = [
      { line: 1, sheet: 'One', rowNumbers: [1, 7], columnNumbers: [2, 28] },
      { line: 6, sheet: 'Two', rowNumbers: [3] },
    ];
    expect(readSheets(text, parts)).toEqual([
      {
        name: 'One',
        firstLine: 2,
        rows: [
          ['a', 'b'],
          ['1', '2'],
        ],
        numbers: [1, 7],
        letters: ['B', 'AB'],
      },
      { name: 'Two', firstLine: 7, rows: [['c']], numbers: [3], letters: [] },
    ]);
  });

  it('returns no rows for pages', () => {
    expect(readSheets('a', [{ line: 1, page: 1 }])).toBeUndefined();
    expect(readSheets('a', [])).toBeUndefined();
  });
});

describe('URL of a file', () => {
  it('contains the location', () => {
    expect(markOf({ lines: '12-20' })).toEqual({ from: 12, to: 20 });
    expect(markOf({ lines: '9-3', page: 4, quote: 'q' })).toEqual({ from: 9, to: 9, page: 4, quote: 'q' });
    for (const lines of ['x', '-1', '1-2-3', undefined]) expect(markOf({ lines })).toBeUndefined();
  });

  it('accepts only known values', () => {
    const odd = { path: 1, lines: 7, page: -1, quote: {}, other: 'x' };
    expect(readFilesSearch(odd)).toEqual({ path: '1', lines: '7' });
    expect(readFilesSearch({ path: 'a', page: 3 })).toEqual({ path: 'a', page: 3 });
  });

  it('leads to a passage, with only its start', () => {
    const passage = { path: 'a.pdf', startLine: 1, endLine: 2, page: 3, text: 'word '.repeat(500) };
    const place = placeOf(passage);
    expect(place).toMatchObject({ path: 'a.pdf', lines: '1-2', page: 3 });
    expect(place.quote?.length).toBeLessThan(610);
    expect(placeOf({ path: 'a', startLine: 1, endLine: 1, text: ' ' })).toEqual({ path: 'a', lines: '1-1' });
  });
});
