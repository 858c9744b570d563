import type { Block } from '../format.ts';
import { joinCells } from '../sheets.ts';

type Kind = Block['kind'] | 'paragraph' | 'line';

/** Kinds of blocks that follow each other without a gap. */
const CLOSE = new Set<Kind>(['item', 'line', 'row']);

/** A table that is being read: the finished cells of its row, and the contents of the open cell. */
interface Table {
  cells: string[];
  open: string[];
}

/**
 * Joins a document's blocks in order: one line per block, tables row by row, an empty line between
 * paragraphs.
 */
export function textBlocks(count: (text: string) => void) {
  const pieces: string[] = [];
  const headings = new Set<number>();
  const blocks: Block[] = [];
  const tables: Table[] = [];
  let length = 0;
  let last: Kind | undefined;
  const push = (piece: string) => {
    pieces.push(piece);
    length += piece.length;
  };
  const addLine = (kind: Kind, text: string, level?: number) => {
    if (last !== undefined) push(kind === last && CLOSE.has(kind) ? '\n' : '\n\n');
    if (kind === 'heading') headings.add(length);
    if (kind !== 'paragraph' && kind !== 'line')
      blocks.push({ at: length, kind, ...(level !== undefined && { level }) });
    push(text);
    last = kind;
  };
  const add = (kind: Kind, text: string, level?: number) => {
    const trimmed = text.trimEnd();
    if (trimmed.trim() === '') return;
    count(trimmed);
    const table = tables.at(-1);
    if (table === undefined) addLine(kind, trimmed, level);
    else table.open.push(trimmed.trim().replace(/\s+/g, ' '));
  };
  const { closeCell, closeRow, closeTable } = tableStack(tables, (row) => add('row', row));
  return {
    paragraph: (text: string) => add('paragraph', text),
    /** Adds a line of a slide, without a gap before it. */
    line: (text: string) => add('line', text),
    /** Adds a heading; `level` counts from 1. */
    heading: (text: string, level = 1) => add('heading', text.replace(/\s+/g, ' '), level),
    /** Adds a list item; `depth` counts from 0. */
    item: (text: string, depth = 0) =>
      add('item', text.trim() === '' ? '' : `${'  '.repeat(Math.min(depth, 9))}- ${text.trimStart()}`),
    openTable: () => tables.push({ cells: [], open: [] }),
    ...{ closeCell, closeRow },
    closeTable: () => {
      closeTable();
      if (tables.length === 0 && last === 'row') last = 'paragraph';
    },
    finish: () => ({ text: pieces.join(''), partStarts: [], headings, blocks }),
  };
}

/**
 * Returns functions for nested tables. Each closes everything that is open in the innermost table, whose row
 * goes to the table around it.
 */
function tableStack(tables: Table[], addRow: (row: string) => void) {
  const closeCell = () => {
    const table = tables.at(-1);
    table?.cells.push(table.open.splice(0).join(' '));
  };
  const closeRow = () => {
    const row = joinCells(tables.at(-1)?.cells.splice(0) ?? []);
    const table = tables.pop();
    addRow(row);
    if (table !== undefined) tables.push(table);
  };
  return {
    closeCell,
    closeRow,
    /** An unclosed row or cell ends with its table. */
    closeTable() {
      if ((tables.at(-1)?.open.length ?? 0) > 0) closeCell();
      if ((tables.at(-1)?.cells.length ?? 0) > 0) closeRow();
      tables.pop();
    },
  };
}

export type TextBlocks = ReturnType<typeof textBlocks>;
