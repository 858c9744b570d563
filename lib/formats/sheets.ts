import { Unreadable } from '../errors.ts';
import type { Context, Decoded, Sheet } from './format.ts';
import { joinParts } from './join-parts.ts';
import { textLimit } from './text-limit.ts';

/** Separates two cells of a row. */
export const CELL_BREAK = ' | ';
/** The maximum number of sheets. No workbook has more. */
const MAX_SHEETS = 2000;
const MAX_NAME = 100;
/** The maximum number of rows above the column names, such as a title or a description. */
const MAX_ROWS_ABOVE_HEADER = 10;

interface Row {
  number: number;
  /** Cells by column, from 1. */
  cells: Map<number, string>;
  /** The lines of drawings at the row: text boxes, charts. */
  drawn?: string;
}

interface LaidOut {
  text: string;
  sheet: Sheet;
  /** The row that names its columns; empty if there is none. */
  header: string;
}

/**
 * Assembles a workbook's text, cell by cell. Each non-empty sheet is a part that starts with its name, and each row is
 * a line.
 */
export function sheetText(title: string) {
  const count = textLimit(title);
  const sheets: { name: string; rows: Row[] }[] = [];
  return {
    sheet: (name: string) => {
      if (sheets.length === MAX_SHEETS)
        throw new Unreadable('size', `The ${title} file has more than ${MAX_SHEETS} sheets.`);
      sheets.push({ name: onOneLine(name).slice(0, MAX_NAME).toWellFormed(), rows: [] });
    },
    /** Adds a cell. The cells of a row are consecutive. */
    cell: (row: number, column: number, text: string) => {
      const line = onOneLine(text);
      if (line === '') return;
      count(line + CELL_BREAK);
      const rows = sheets.at(-1)?.rows ?? [];
      if (rows.at(-1)?.number !== row || rows.at(-1)?.drawn !== undefined)
        rows.push({ number: row, cells: new Map() });
      rows.at(-1)?.cells.set(column, line);
    },
    /** Adds a separate line at a row, after its cells. */
    line: (row: number, text: string) => {
      const line = onOneLine(text);
      if (line === '') return;
      count(line);
      sheets.at(-1)?.rows.push({ number: row, cells: new Map(), drawn: line });
    },
    finish: (): Decoded => {
      const countLine = textLimit(title);
      return joinSheets(sheets.map(({ name, rows }) => layOut(name, inOrder(rows), countLine)));
    },
  };
}

export type SheetText = ReturnType<typeof sheetText>;

export function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Joins the cells of a row, without trailing empty ones. */
export function joinCells(cells: string[]): string {
  const filled = cells.findLastIndex((cell) => cell !== '');
  return cells.slice(0, filled + 1).join(CELL_BREAK);
}

/** A row's cells come before its drawings. */
function inOrder(rows: Row[]): Row[] {
  return rows.sort((one, other) => one.number - other.number || Number(!!one.drawn) - Number(!!other.drawn));
}

/** Omits empty columns, so that a cell far to the right doesn't produce a line of separators. */
function layOut(name: string, rows: Row[], count: (text: string) => void): LaidOut {
  const columns = usedColumns(rows);
  const rowStarts: number[] = [];
  const lines = rows.length === 0 ? [] : [name];
  let length = name.length + 1;
  for (const row of rows) {
    const line = writeRow(columns, row);
    count(line);
    rowStarts.push(length);
    lines.push(line);
    length += line.length + 1;
  }
  const rowNumbers = rows.map(({ number }) => number);
  const sheet = { name, rowStarts, rowNumbers, columns };
  return { text: lines.join('\n'), sheet, header: headerOf(rows, columns) };
}

function usedColumns(rows: Row[]): number[] {
  const used = new Set<number>();
  for (const { cells } of rows) for (const column of cells.keys()) used.add(column);
  return [...used].sort((one, other) => one - other);
}

/** Takes time in proportion to the line's length. In a wide sheet, most rows may have a single cell. */
function writeRow(columns: number[], { cells, drawn }: Row): string {
  if (drawn !== undefined) return drawn;
  const end = columns.indexOf(Math.max(...cells.keys())) + 1;
  return columns
    .slice(0, end)
    .map((column) => cells.get(column) ?? '')
    .join(CELL_BREAK);
}

/** A number, with its displayed form if that differs. */
const NUMBER = /^[-+\d.,:%]+(?: |$)/;

/** Returns the first row with several cells, if all of them are words. */
function headerOf(rows: Row[], columns: number[]): string {
  const header = rows
    .slice(0, MAX_ROWS_ABOVE_HEADER)
    .find(({ cells }) => cells.size > 1 && [...cells.values()].every((cell) => !NUMBER.test(cell)));
  return header === undefined ? '' : writeRow(columns, header);
}

function joinSheets(sheets: LaidOut[]): Decoded {
  const joined = joinParts(sheets);
  const startOf = (index: number) => joined.partStarts[index] ?? 0;
  return {
    ...joined,
    sheets: sheets.map(({ sheet }, index) => moveBy(startOf(index), sheet)),
    contexts: sheets.flatMap((sheet, index) => contextsOf(startOf(index), sheet)),
  };
}

function moveBy(start: number, { rowStarts, ...sheet }: Sheet): Sheet {
  return { ...sheet, rowStarts: rowStarts.map((at) => at + start) };
}

/**
 * Returns the context for the text after the start of a sheet, which itself contains it. The previous sheet's
 * context ends at the sheet's start.
 */
function contextsOf(start: number, { sheet: { name }, header }: LaidOut): Context[] {
  const end = { at: start - 1, text: '' };
  return [...(start === 0 ? [] : [end]), { at: start, text: header === '' ? name : `${name}: ${header}` }];
}
