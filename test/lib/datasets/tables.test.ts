import { copyFile, open, truncate, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { datasetFormatOf, splitOf } from '../../../lib/datasets/manifest/formats.ts';
import { measureFile } from '../../../lib/datasets/manifest/measure.ts';
import { rowCounter } from '../../../lib/datasets/tables/counters.ts';
import { readRecords } from '../../../lib/datasets/tables/delimited.ts';
import { readRows } from '../../../lib/datasets/tables/read-table.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const PARQUET = resolve(import.meta.dirname, '../../support/parquet');
const folder = await tempFolder();
let made = 0;

/** Returns the rows of a text that arrives in chunks of some size. */
function count(format: string, text: string, pieceSize = 1 << 20): number | undefined {
  const counter = rowCounter(format);
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += pieceSize)
    counter?.push(bytes.subarray(start, start + pieceSize));
  return counter?.end();
}

async function beginning(format: string, text: string | Buffer, rows = 10, skip = 0) {
  const path = join(folder, `${++made}.${format}`);
  await writeFile(path, text);
  const handle = await open(path);
  try {
    return await readRows({ handle, size: Buffer.byteLength(text) }, format, { skip, count: rows });
  } finally {
    await handle.close();
  }
}

describe('column type in delimited text', () => {
  it.each([
    [['1', '-2', '', '30'], 'integer'],
    [['1', '2.5', 'NA', '1e-3'], 'number'],
    [['true', 'False'], 'bool'],
    [['2024-02-29', '2023-12-01'], 'date'],
    [['2024-02-29T10:00:00Z', '2024-02-29 10:00'], 'timestamp'],
    [['00501', '10001'], 'string'],
    [['12345678901234567890', '1'], 'number'],
    [['1', 'one'], 'string'],
    [['', 'null'], 'string'],
    [['2024-13-01'], 'string'],
  ])('is detected for %j: %s, and the cells stay text', async (cells, type) => {
    const { columns, rows } = await beginning('csv', `a,b\n${cells.map((cell) => `${cell},x`).join('\n')}\n`);
    expect(columns).toEqual([
      { name: 'a', type },
      { name: 'b', type: 'string' },
    ]);
    expect(rows.map(({ a }) => a)).toEqual(cells);
  });
});

describe('table rows', () => {
  it.each([
    ['jsonl', '{"a":1}\n{"a":2}\n', 2],
    ['jsonl', '{"a":1}\r\n\r\n  \n{"a":2}', 2],
    ['jsonl', '', 0],
    ['csv', 'a,b\n1,2\n3,4\n', 2],
    ['csv', 'a,b\n1,"2\n2"\n\n3,"4 ""x"" \n"\n', 2],
    ['csv', 'a,b\n5" pipe,1\n6" pipe,2\n', 2],
    ['csv', 'a,b', 0],
    ['csv', '', 0],
    ['tsv', 'a\tb\r\n1\t"x\r\ny"\r\n', 1],
    ['json', '[{"a":"]},[\\""},[1,2],3,"x"]', 4],
    ['json', ' [ ] ', 0],
    ['json', '\ufeff[1]\n', 1],
    ['json', '{"a":1}\n{"a":2}\n', 2],
    ['json', '{"a":[1,2]}', undefined],
    ['json', '[{"a":1},{"a"', undefined],
    ['json', '', undefined],
  ])('are read from %s %j: %p', (format, text, rows) => {
    expect(count(format, text)).toBe(rows);
    expect(count(format, text, 1)).toBe(rows);
  });

  it('are read from arrays as by JSON.parse, for any chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.integer({ min: 1, max: 40 }), (values, size) => {
        expect(count('json', JSON.stringify(values, null, size % 3), size)).toBe(values.length);
      }),
    );
  });

  it('are counted in CSV as by its reader, for any chunks', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', ' ', 'é'), maxLength: 6 });
    const records = fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(records, fc.integer({ min: 1, max: 9 }), (table, size) => {
        const text = table.map((row) => row.map((x) => `"${x.replaceAll('"', '""')}"`).join(',')).join('\n');
        expect(readRecords(text, ',', { max: 100, partial: false })).toEqual(table);
        expect(count('csv', text, size)).toBe(table.length - 1);
      }),
    );
  });
});

describe('start of a text table', () => {
  it('has the columns of all its rows, with their types', async () => {
    const { columns, rows } = await beginning('jsonl', '{"a":1,"b":null}\n{"a":1.5,"c":[1]}\nnot json\n7\n');
    expect(rows).toEqual([{ a: 1, b: null }, { a: 1.5, c: [1] }, { value: 'not json' }, { value: 7 }]);
    expect(columns).toEqual([
      { name: 'a', type: 'number' },
      { name: 'b', type: 'null' },
      { name: 'c', type: 'list' },
      { name: 'value', type: 'mixed' },
    ]);
  });

  it('shows an invalid JSON line, which counts as a row, so that no page repeats an earlier row', async () => {
    const text = '{"a":1}\nnot json\n{"a":3}\n{"a":4}\n';
    expect((await beginning('jsonl', text, 3)).rows).toEqual([{ a: 1 }, { value: 'not json' }, { a: 3 }]);
    expect((await beginning('jsonl', text, 3, 3)).rows).toEqual([{ a: 4 }]);
  });

  it('distinguishes columns with the same name, and columns without a name', async () => {
    const { columns, rows } = await beginning('csv', 'a;a;\n1;2;3\n4\n');
    expect(columns.map(({ name }) => name)).toEqual(['a', 'a_2', 'column_3']);
    expect(rows).toEqual([
      { a: '1', a_2: '2', column_3: '3' },
      { a: '4', a_2: null, column_3: null },
    ]);
  });

  it.each(['jsonl', 'json', 'csv'])(
    'continues reading %s if rows are long, and never shows a truncated row',
    async (format) => {
      const long = 'é'.repeat(90_000);
      const rows = Array.from({ length: 6 }, (_, id) => ({ id: String(id), long }));
      const text = {
        jsonl: rows.map((row) => JSON.stringify(row)).join('\n'),
        json: JSON.stringify(rows),
        csv: `id,long\n${rows.map((row) => `${row.id},"${row.long}"`).join('\n')}`,
      }[format] as string;
      expect((await beginning(format, text, 5)).rows).toEqual(rows.slice(0, 5));
      expect((await beginning(format, text, 50)).rows).toEqual(rows);
    },
  );
});

describe('rows from the middle', () => {
  const ids = Array.from({ length: 40_000 }, (_, id) => id);
  const texts: Record<string, string> = {
    jsonl: ids
      .map((id) => `${JSON.stringify({ id, text: `ö "${id}", [x]` })}\n${id % 3 ? '' : ' \r\n'}`)
      .join(''),
    json: `\uFEFF [${ids.map((id) => JSON.stringify({ id, text: `ö "${id}", [x]` })).join(',\n ')}]`,
    values: ids.map((id) => JSON.stringify({ id, text: `ö "${id}", [x]` })).join('\n'),
    csv: `\uFEFFid,text\r\n${ids.map((id) => `${id},"ö ""${id}"",\n [x]"\r\n`).join('')}`,
    tsv: `id\ttext\n${ids.map((id) => `${id}\tö ${id}`).join('\n')}`,
  };

  it.each(Object.keys(texts))('are equal to those of a full read: %s', async (kind) => {
    const [format, text] = [kind === 'values' ? 'json' : kind, texts[kind] as string];
    const all = await beginning(format, text, ids.length);
    expect(all.rows).toHaveLength(ids.length);
    for (const skip of [1, 2, 999, 20_001, 39_998, 39_999]) {
      const { columns, rows, passed } = await beginning(format, text, 3, skip);
      expect([skip, rows, passed]).toEqual([skip, all.rows.slice(skip, skip + 3), skip]);
      expect(columns.map(({ name }) => name)).toEqual(['id', 'text']);
    }
  });

  it.each(Object.keys(texts))('are empty after the last row of %s', async (kind) => {
    const [format, text] = [kind === 'values' ? 'json' : kind, texts[kind] as string];
    for (const skip of [40_000, 40_001, 1e9]) {
      const { rows, passed } = await beginning(format, text, 3, skip);
      expect([skip, rows, passed]).toEqual([skip, [], 40_000]);
    }
  });

  it.each([
    ['csv', 'a,b\n'],
    ['csv', 'a,b'],
    ['jsonl', ''],
    ['json', '[]'],
    ['json', '[[1,2],[3,4]'],
  ])('are empty without an error: %s %j', async (format, text) => {
    expect((await beginning(format, text, 3, 5)).rows).toEqual([]);
  });
});

describe('parquet', () => {
  async function read(name: string, rows: number, skip = 0) {
    const handle = await open(join(PARQUET, `rows-${name}.parquet`));
    try {
      const { size } = await handle.stat();
      return await readRows({ handle, size }, 'parquet', { skip, count: rows });
    } finally {
      await handle.close();
    }
  }
  const row = (id: number) => ({
    id,
    text: id % 7 === 0 ? null : `row ${id}`,
    label: 'a',
    score: id / 2,
    when: new Date(Date.UTC(2026, 0, 1) + id * 1000).toISOString(),
    tags: Array.from({ length: id % 4 }, (_, tag) => `t${tag}`),
    point: { x: id, y: 0 - id },
    big: String(2n ** 60n + BigInt(id)),
    bytes: `base64:${Buffer.from([255, id]).toString('base64')}`,
  });

  it.each(['snappy', 'gzip', 'zstd', 'brotli', 'none'])(
    'compressed with %s returns the first rows, across row groups',
    async (name) => {
      for (const rows of [1, 3, 25, 26, 60, 100]) {
        const { rows: found } = await read(name, rows);
        expect(found).toEqual(Array.from({ length: Math.min(rows, 60) }, (_, id) => row(id)));
      }
    },
  );

  it.each(['snappy', 'none'])(
    'compressed with %s returns rows from the middle, across row groups',
    async (name) => {
      for (const skip of [1, 3, 4, 24, 25, 26, 49, 59, 60, 61, 1000]) {
        const { rows, passed } = await read(name, 7, skip);
        const count = Math.min(7, Math.max(0, 60 - skip));
        expect([skip, passed, rows]).toEqual([
          skip,
          Math.min(60, skip),
          Array.from({ length: count }, (_, at) => row(skip + at)),
        ]);
      }
    },
  );

  it('returns its columns', async () => {
    const { columns } = await read('snappy', 1);
    expect(Object.fromEntries(columns.map(({ name, type }) => [name, type]))).toEqual({
      id: 'int64',
      text: 'string',
      label: 'string',
      score: 'float64',
      when: 'timestamp',
      tags: 'list',
      point: 'struct',
      big: 'int64',
      bytes: 'binary',
    });
  });

  it('returns the number of rows in its footer, or zero if it is damaged', async () => {
    const root = await tempFolder();
    await copyFile(join(PARQUET, 'rows-zstd.parquet'), join(root, 'a.parquet'));
    const measure = () => measureFile(root, { path: 'a.parquet', sha256: null }, () => {});
    expect(await measure()).toMatchObject({
      format: 'parquet',
      rows: 60,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    await truncate(join(root, 'a.parquet'), 2000);
    expect(await measure()).toMatchObject({ rows: null, sizeBytes: 2000 });
  });
});

describe('table file', () => {
  it('is not read, for its rows or its hash, if it is too large for one worker call', async () => {
    const root = await tempFolder();
    await writeFile(join(root, 'a.jsonl'), '{}\n');
    await truncate(join(root, 'a.jsonl'), 65 * 1024 ** 3); // a hole
    const checkMayGoOn = () => {
      throw new Error('is being read');
    };
    const measured = await measureFile(root, { path: 'a.jsonl', sha256: null }, checkMayGoOn);
    expect(measured).toMatchObject({ sizeBytes: 65 * 1024 ** 3, rows: null, sha256: null });
  });

  it.each([
    ['data/train-00000-of-00002.parquet', 'parquet', 'train'],
    ['train.jsonl', 'jsonl', 'train'],
    ['validation.csv', 'csv', 'valid'],
    ['dev/a/b.tsv', 'tsv', 'valid'],
    ['en/test/x.ndjson', 'jsonl', 'en/test'],
    ['en/data/eval_1.json', 'json', 'en/test'],
    ['trainer.jsonl', 'jsonl', 'default'],
    ['test_utils.py', 'code', 'default'],
    ['README.md', 'text', 'default'],
    ['model-00001.safetensors', 'safetensors', 'default'],
    ['constructor', 'other', 'default'],
  ])('has for %s the format %s and the split %s', (path, format, split) => {
    expect(datasetFormatOf(path)).toBe(format);
    expect(splitOf(path)).toBe(split);
  });
});
