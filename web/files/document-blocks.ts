import type { Schemas } from '../../lib/api-contract/schema.ts';
import { headingLevels } from '../parts/markdown/heading-levels.ts';
import { splitCells } from './sheets.ts';

type Block = NonNullable<Schemas['FileContent']['blocks']>[number];

/** A piece of a line: the line number from 1, the column from 0. */
export interface TextPiece {
  line: number;
  column: number;
  text: string;
}

interface ListItem {
  /** Nesting depth, from 0. */
  depth: number;
  lines: TextPiece[];
}

/**
 * An element that is rendered as a unit: a paragraph, or a few entries of a list or table, followed by the next ones
 * without a gap.
 */
export type DocumentBlock =
  | { kind: 'heading'; rank: number; lines: TextPiece[] }
  | { kind: 'paragraph'; lines: TextPiece[] }
  | { kind: 'list'; items: ListItem[] }
  | { kind: 'table'; columns: number; rows: TextPiece[][] };

/**
 * Number of list or table entries that are rendered together, so that a block that contains a quote fits on
 * the page.
 */
const TOGETHER = 8;
/** Maximum columns, as in a sheet, because each cell is an element. */
const MAX_COLUMNS = 100;

/**
 * Returns the blocks of an Office document in order, from the lines of its text and the block kinds from the service.
 */
export function documentBlocks(lines: readonly string[], kinds: readonly Block[]): DocumentBlock[] {
  const byLine = new Map(kinds.map((block) => [block.line, block]));
  const ranks = headingLevels(lines.map((_, index) => byLine.get(index + 1)?.level));
  const blocks: DocumentBlock[] = [];
  let last: DocumentBlock | undefined;
  for (const [index, text] of lines.entries()) {
    const whole = { line: index + 1, column: 0, text };
    if (text.trim() === '') last = undefined;
    else if (last === undefined || !continues(last, byLine.get(whole.line), whole)) {
      last = startBlock(byLine.get(whole.line), whole, ranks[index] ?? 0);
      blocks.push(last);
    }
  }
  for (const table of tablesOf(blocks)) for (const each of table) each.columns = widest(table);
  return blocks;
}

/** Adds the line to the previous block if it belongs there. Returns whether it does. */
function continues(last: DocumentBlock, next: Block | undefined, whole: TextPiece): boolean {
  if (last.kind === 'table' && next?.kind === 'row' && last.rows.length < TOGETHER)
    return last.rows.push(cellsOf(whole)) > 0;
  if (last.kind === 'list' && next?.kind === 'item' && last.items.length < TOGETHER)
    return last.items.push(itemOf(whole)) > 0;
  if (next !== undefined) return false;
  // A line break within a paragraph or an item.
  const open = last.kind === 'list' ? last.items.at(-1)?.lines : last.kind === 'paragraph' && last.lines;
  return open ? open.push(whole) > 0 : false;
}

function startBlock(block: Block | undefined, whole: TextPiece, rank: number): DocumentBlock {
  if (block?.kind === 'heading') return { kind: 'heading', rank, lines: [whole] };
  if (block?.kind === 'item') return { kind: 'list', items: [itemOf(whole)] };
  if (block?.kind === 'row') return { kind: 'table', columns: 0, rows: [cellsOf(whole)] };
  return { kind: 'paragraph', lines: [whole] };
}

/** Returns a list item; `  - figs` is a second-level item. */
function itemOf({ line, text }: TextPiece): ListItem {
  const [mark = '', indent = ''] = /^( *)- /.exec(text) ?? [];
  return { depth: indent.length / 2, lines: [{ line, column: mark.length, text: text.slice(mark.length) }] };
}

function cellsOf({ line, text }: TextPiece): TextPiece[] {
  return splitCells(text)
    .slice(0, MAX_COLUMNS)
    .map((cell) => ({ line, ...cell }));
}

type Table = Extract<DocumentBlock, { kind: 'table' }>;

/** Returns the tables, each with all its blocks, because the blocks of a table share their column widths. */
function tablesOf(blocks: readonly DocumentBlock[]): Table[][] {
  const tables: Table[][] = [];
  let end = -1;
  for (const block of blocks) {
    if (block.kind !== 'table') continue;
    const first = block.rows[0]?.[0]?.line ?? 0;
    if (first === end + 1) tables.at(-1)?.push(block);
    else tables.push([block]);
    end = first + block.rows.length - 1;
  }
  return tables;
}

function widest(table: readonly Table[]): number {
  const widths = table.flatMap(({ rows }) => rows.map(({ length }) => length));
  return widths.reduce((most, width) => Math.max(most, width), 1);
}

export function linesOf(block: DocumentBlock): TextPiece[] {
  if (block.kind === 'list') return block.items.flatMap(({ lines }) => lines);
  return block.kind === 'table' ? block.rows.flat() : block.lines;
}
