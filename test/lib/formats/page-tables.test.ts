import { describe, expect, it } from '@jest/globals';
import { pageTables, type TextPiece } from '../../../lib/formats/page-tables.ts';

/** Letters are 10 high and 5 wide. */
function piece(text: string, left: number, y: number): TextPiece {
  return { text, left, right: left + text.length * 5, y, height: 10 };
}

/** Draws rows from the top, 15 apart, with a column every 100. Empty cells aren't drawn. */
function drawn(rows: string[][], { step = 15, top = 700 } = {}): TextPiece[] {
  return rows.flatMap((cells, row) =>
    cells.flatMap((text, column) => (text === '' ? [] : [piece(text, column * 100, top - row * step)])),
  );
}

function cellsOf(pieces: TextPiece[]): string[][][] {
  return pageTables(pieces).map((rows) => rows.map(({ cells }) => cells));
}

const RIVERS = [
  ['River', 'Length', 'Mouth'],
  ['Elbe', '1094', 'North Sea'],
  ['Oder', '', 'Baltic Sea'],
  ['Rhine', '1233', 'North Sea'],
];
const WORDS = 'the river runs through seven countries and past many towns';
const LINES = Array.from({ length: 12 }, () => WORDS);

describe('tables of a PDF page', () => {
  it('have rows and columns, with empty cells', () => {
    expect(cellsOf(drawn(RIVERS))).toEqual([RIVERS]);
  });

  it('are found if each column is drawn before the next', () => {
    const pieces = drawn(RIVERS).toSorted((one, other) => one.left - other.left);
    expect(cellsOf(pieces)).toEqual([RIVERS]);
  });

  it('join the lines of a cell, whatever the place of the other cells', () => {
    const row = [piece('Danube, the', 0, 635), piece('second longest', 0, 625), piece('2850', 100, 630)];
    const last = piece('Black Sea', 200, 630);
    const [table = []] = cellsOf([...drawn(RIVERS), ...row, last]);
    expect(table.at(-1)).toEqual(['Danube, the second longest', '2850', 'Black Sea']);
  });

  it('contain a title in the middle that spans columns', () => {
    const title = piece('Rivers of the south, all of them', 0, 640);
    const more = drawn(RIVERS.slice(1), { top: 625 });
    const [table = []] = cellsOf([...drawn(RIVERS), title, ...more]);
    expect(table).toEqual([...RIVERS, ['Rivers of the south, all of them', '', ''], ...RIVERS.slice(1)]);
  });

  it('are two if text is between them', () => {
    const prose = LINES.slice(0, 4).map((line, at) => piece(line, 0, 640 - at * 15));
    expect(cellsOf([...drawn(RIVERS), ...prose, ...drawn(RIVERS, { top: 560 })])).toEqual([RIVERS, RIVERS]);
  });

  it.each([
    ['prose', LINES.map((line, at) => piece(line, 0, 700 - at * 12))],
    [
      'two columns of prose',
      [0, 320].flatMap((left) => LINES.map((line, at) => piece(line, left, 700 - at * 12))),
    ],
    [
      'two columns of prose that are drawn line by line',
      LINES.flatMap((line, at) => [0, 320].map((left) => piece(`${line} again`, left, 700 - at * 12))),
    ],
    [
      'a numbered list',
      LINES.flatMap((line, at) => [piece(`${at}.`, 0, 700 - at * 12), piece(line, 40, 700 - at * 12)]),
    ],
    ['two rows', drawn(RIVERS.slice(0, 2))],
    [
      'gaps at different places',
      LINES.flatMap((_, at) => [
        piece('word', at * 17, 700 - at * 12),
        piece('word', at * 17 + 30, 700 - at * 12),
      ]),
    ],
  ])('are not %s', (_what, pieces) => {
    expect(cellsOf(pieces)).toEqual([]);
  });

  it('take linear time for a page of 200,000 pieces', () => {
    const pieces = Array.from({ length: 200_000 }, (_, at) =>
      piece('1', (at % 400) * 12, 700 - Math.floor(at / 400)),
    );
    const started = performance.now();
    pageTables(pieces);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
