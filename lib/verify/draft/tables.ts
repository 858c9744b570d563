import { joinCells, onOneLine } from '../../formats/sheets.ts';
import { beginning } from '../../text/cut-text.ts';
import { MAX_CLAIM } from '../work/claim-text.ts';
import type { DraftBlock } from './draft.ts';

/** A cell as its format stores it, with the way it is merged. */
export interface Cell {
  text: string;
  /** The number of columns and rows that the cell spans. The rows below have no cell in its place. */
  columns: number;
  rows: number;
  /** Whether cells below may continue it, or whether it continues the one above. */
  merged?: 'starts' | 'continues' | undefined;
}

/** A row as its format stores it. */
export interface Row {
  cells: Cell[];
  /** True if the format marks it as a header row. */
  isHeader: boolean;
}

/** The text of a row, its role in the table, and the names of the table's columns. */
export type SaidRow = Required<Pick<DraftBlock, 'said' | 'row'>> & Pick<DraftBlock, 'columns'>;

/** The maximum number of characters in a row. Longer text is only arranged on the page by a table. */
const MAX_ROW = 1000;
/** The maximum number of columns. Word allows 63. A row with more isn't read as a row. */
const MAX_COLUMNS = 100;
const MAX_HEADERS = 4;
/** The maximum number of rows to read when deciding whether the rows above them are a header. */
const MAX_BELOW = 50;
/** The maximum span of a cell, as in HTML. */
const MAX_SPAN = 65_534;

/**
 * Returns the number of columns or rows that a cell spans, from the format's value. At least one, because
 * otherwise the cell wouldn't be read.
 */
export function spanOf(said = ''): number {
  return Math.min(Math.max(1, Number.parseInt(said, 10) || 1), MAX_SPAN);
}

/**
 * Returns the text of each row of a table; undefined for a row that isn't read as one, because only one cell
 * has text, or the text is longer than a row may be.
 */
export function saidRows(rows: Row[]): (SaidRow | undefined)[] {
  const grid = withMergedCells(rows);
  const isRow = grid.map((cells, at) => isLikeRow(cells, rows[at]?.isHeader === true));
  const read = rows.flatMap(({ isHeader }, at) =>
    isRow[at] ? [{ at, isHeader, cells: grid[at] ?? [] }] : [],
  );
  const headers = countHeaders(read);
  const names = namesOf(read.slice(0, headers).map(({ cells }) => cells));
  const columns = beginning(said(names), MAX_CLAIM);
  const found = new Map(
    read.map(({ at, cells }, nth): [number, SaidRow] => {
      if (nth < headers) return [at, { row: 'header', said: said(nth === headers - 1 ? names : cells) }];
      return [at, { said: said(cells), ...(headers > 0 ? { row: 'row', columns } : { row: 'alone' }) }];
    }),
  );
  return rows.map((_, at) => found.get(at));
}

function said(cells: string[]): string {
  return joinCells(cells.map((cell) => cell.replaceAll('|', '\\|'))).trim();
}

/**
 * The content of a column, the number of further rows that it spans, and whether the cell below may continue
 * it.
 */
interface Above {
  text: string;
  left: number;
  isMerged: boolean;
}

const EMPTY: Above = { text: '', left: 0, isMerged: false };

/**
 * Returns the rows with the content of their columns. A cell that spans several rows is in each of them. A
 * cell that spans several columns is only in the first, except in a header, where it names each. Empty for a
 * row with too many columns.
 */
function withMergedCells(rows: Row[]): string[][] {
  let above: Above[] = [];
  return rows.map(({ cells, isHeader }) => {
    const row: Above[] = [];
    const passMerged = () => {
      for (let one = above[row.length]; one !== undefined && one.left > 0; one = above[row.length])
        row.push({ ...one, left: one.left - 1 });
    };
    for (const cell of cells) {
      passMerged();
      row.push(...columnsOf(cell, above[row.length] ?? EMPTY, isHeader).slice(0, MAX_COLUMNS - row.length));
    }
    // After the last cell, only cells of several rows continue.
    for (passMerged(); above.slice(row.length).some(({ left }) => left > 0); passMerged()) row.push(EMPTY);
    above = row;
    return row.length < MAX_COLUMNS ? row.map(({ text }) => text) : [];
  });
}

function columnsOf(cell: Cell, over: Above, isHeader: boolean): Above[] {
  const continued = cell.merged === 'continues' && over.isMerged;
  const text = continued ? over.text : beginning(onOneLine(cell.text), MAX_ROW + 1);
  const own = { text, left: cell.rows - 1, isMerged: cell.merged === 'starts' || continued };
  const others = { ...own, text: isHeader ? text : '', isMerged: false };
  return Array.from({ length: Math.min(cell.columns, MAX_COLUMNS) }, (_, at) => (at === 0 ? own : others));
}

/**
 * Returns whether cells form a row. A header row may have a single cell with text, which names a group of
 * columns, unless it spans all columns and is the title.
 */
function isLikeRow(cells: string[], isHeader: boolean): boolean {
  const length = cells.reduce((sum, cell) => sum + cell.length, 0);
  const count = isHeader ? new Set(cells).size : cells.filter((cell) => cell !== '').length;
  return count > 1 && length <= MAX_ROW;
}

/**
 * Counts the header rows. At least one row must remain, because otherwise nothing in the table would be
 * checked.
 */
function countHeaders(rows: { isHeader: boolean; cells: string[] }[]): number {
  const other = rows.findIndex(({ isHeader }) => !isHeader);
  if (other > 0) return Math.min(other, MAX_HEADERS);
  if (other === -1) return Math.min(1, rows.length - 1);
  return namesColumns(rows.map(({ cells }) => cells)) ? 1 : 0;
}

/**
 * Returns whether an unmarked first row certainly names columns: it has no value, and a column below it has
 * only values. With two columns, the first row may be the first fact: `Name | Koko`.
 */
function namesColumns([first = [], ...others]: string[][]): boolean {
  if (first.length < 3 || !mayNameColumns(first, others)) return false;
  return first.some((name, column) => name !== '' && others.every((cells) => isValue(cells[column] ?? '')));
}

/** Returns whether a cell is a value, which starts with a digit. */
function isValue(cell: string): boolean {
  return /^[^\p{L}]{0,20}\d/u.test(cell);
}

const YEAR = /^(?:19|20)\d\d$/;
/** Matches the digits of a name such as `F1`, `CO2`, or `Top-1`. */
const NUMBER_IN_NAME = /(?<=[a-z]-?)\d{1,2}(?![\d.,:]*[\d%‰])/giu;

/**
 * Returns whether a row may name the columns of the rows below: it has no number, or a year above other
 * values. In doubt, it contains a claim.
 */
export function mayNameColumns(cells: string[], below: string[][]): boolean {
  const near = below.slice(0, MAX_BELOW);
  return cells.every((cell, column) => {
    if (YEAR.test(cell)) return areValues(near.map((row) => row[column] ?? ''));
    return !/\p{Nd}/u.test(cell.replace(NUMBER_IN_NAME, ''));
  });
}

function areValues(cells: string[]): boolean {
  return (
    cells.every((cell) => isValue(cell) || !/\p{L}/u.test(cell)) &&
    cells.some((cell) => isValue(cell) && !YEAR.test(cell))
  );
}

/** Returns the names of the columns. Several header rows name a column together: `Cranes 2021`. */
function namesOf(headers: string[][]): string[] {
  const count = Math.max(0, ...headers.map(({ length }) => length));
  return Array.from({ length: count }, (_, column) => {
    const names = headers.flatMap((cells) => (cells[column] ? [cells[column]] : []));
    return [...new Set(names)].join(' ');
  });
}
