import { describe, expect, it } from '@jest/globals';
import { type DocumentBlock, documentBlocks } from '../../../web/files/document-blocks.ts';

const TEXT = `Field notes

Methods

We counted
from the tower.

- bananas
  - ripe ones
    that fell
- figs

ape | height
Koko | 12 m | tall

one | table`;

const KINDS = [
  { line: 1, kind: 'heading', level: 1 },
  { line: 3, kind: 'heading', level: 3 },
  { line: 8, kind: 'item' },
  { line: 9, kind: 'item' },
  { line: 11, kind: 'item' },
  { line: 13, kind: 'row' },
  { line: 14, kind: 'row' },
  { line: 16, kind: 'row' },
] as const;

function readBlocks(text: string, kinds: readonly (typeof KINDS)[number][] = []): DocumentBlock[] {
  return documentBlocks(text.split('\n'), kinds);
}

describe('documentBlocks', () => {
  it('returns headings without gaps, paragraphs with their line breaks, lists with their depth, and separate tables', () => {
    const [title, heading, paragraph, list, table, other] = readBlocks(TEXT, KINDS);
    expect([title, heading]).toMatchObject([
      { kind: 'heading', rank: 0 },
      { kind: 'heading', rank: 1 },
    ]);
    expect(paragraph).toMatchObject({ kind: 'paragraph', lines: [{ line: 5 }, { line: 6 }] });
    expect(list).toMatchObject({
      items: [
        { depth: 0, lines: [{ line: 8, column: 2, text: 'bananas' }] },
        { depth: 1, lines: [{ line: 9, column: 4, text: 'ripe ones' }, { line: 10 }] },
        { depth: 0, lines: [{ text: 'figs' }] },
      ],
    });
    expect(table).toMatchObject({
      columns: 3,
      rows: [
        [{ text: 'ape' }, { column: 6, text: 'height' }],
        [{}, {}, {}],
      ],
    });
    expect(other).toMatchObject({ kind: 'table', columns: 2, rows: [[{ line: 16 }, {}]] });
  });

  it('treats text that looks like a list or a table as paragraphs, unless the service marks it', () => {
    expect(readBlocks('- not an item\n\na | b').map(({ kind }) => kind)).toEqual(['paragraph', 'paragraph']);
  });

  it('gives the blocks of a long table the same columns, and limits its cells', () => {
    const rows = Array.from({ length: 20 }, (_, row) => (row === 19 ? 'x | '.repeat(500) : 'a | b'));
    const kinds = rows.map((_, row) => ({ line: row + 1, kind: 'row' as const }));
    const blocks = documentBlocks(rows, kinds);
    expect(blocks.map((block) => block.kind === 'table' && [block.rows.length, block.columns])).toEqual([
      [8, 100],
      [8, 100],
      [4, 100],
    ]);
  });
});
