import { joinCells, onOneLine } from '../../formats/sheets.ts';
import { beginning } from '../../text/cut-text.ts';
import { MAX_CLAIM } from '../work/claim-text.ts';
import type { DraftBlock } from './draft.ts';

/** A cell as its format has it, and what it is merged with. */
export interface Cell {
  text: string;
  /** How many columns and rows it is in. The rows below have no cell there. */
  columns: number;
  rows: number;
  /** Whether cells below may continue it, or it only continues the one above. */
  merged?: 'starts' | 'continues' | undefined;
}

/** A row as its format has it. */
export interface Row {
  cells: Cell[];
  /** Whether the format marks it as one that names the columns. */
  isHeader: boolean;
}

/** What a row says, what it is in its table, and the names of that table's columns. */
export type SaidRow = Required<Pick<DraftBlock, 'said' | 'row'>> & Pick<DraftBlock, 'columns'>;

/** A longer row is text that a table arranges on the page. */
const MAX_ROW = 1000;
/** Word allows 63 columns. A row that has more isn't read as one. */
const MAX_COLUMNS = 100;
const MAX_HEADERS = 4;
/** The rows that tell whether those above them are a header. */
const MAX_BELOW = 50;
/** As in HTML. */
const MAX_SPAN = 65_534;

/** Returns how many columns or rows a cell is in, by what its format says: at least one, or nothing of it would be read. */
export function spanOf(said = ''): number {
  return Math.min(Math.max(1, Number.parseInt(said, 10) || 1), MAX_SPAN);
}

/**
 * Returns what the rows of a table say. Undefined for a row that isn't read as one: with text in a single cell, or more text than
 * the row of a table has.
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

/** What is in a column, for how many further rows, and whether the cell below may continue it. */
interface Above {
  text: string;
  left: number;
  isMerged: boolean;
}

const EMPTY: Above = { text: '', left: 0, isMerged: false };

/**
 * Rows with what is in their columns: a cell of several rows is in each, one of several columns only in the first of them, but for
 * a header's, which names each. Empty for a row with too many columns.
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
    // Behind the last cell, only those of several rows continue.
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

/** A header may have a single cell: of some columns, it's a group's. Of all columns, it is the title. */
function isLikeRow(cells: string[], isHeader: boolean): boolean {
  const length = cells.reduce((sum, cell) => sum + cell.length, 0);
  const count = isHeader ? new Set(cells).size : cells.filter((cell) => cell !== '').length;
  return count > 1 && length <= MAX_ROW;
}

/** Some row is no header, or nothing of the table would be checked. */
function countHeaders(rows: { isHeader: boolean; cells: string[] }[]): number {
  const other = rows.findIndex(({ isHeader }) => !isHeader);
  if (other > 0) return Math.min(other, MAX_HEADERS);
  if (other === -1) return Math.min(1, rows.length - 1);
  return namesColumns(rows.map(({ cells }) => cells)) ? 1 : 0;
}

/**
 * Whether an unmarked first row names columns for certain: it has no value, and a column below it has nothing else. Of two columns,
 * the first row may be the first fact: `Name | Koko`.
 */
function namesColumns([first = [], ...others]: string[][]): boolean {
  if (first.length < 3 || !mayNameColumns(first, others)) return false;
  return first.some((name, column) => name !== '' && others.every((cells) => isValue(cells[column] ?? '')));
}

/** A value begins with a digit. */
function isValue(cell: string): boolean {
  return /^[^\p{L}]{0,20}\d/u.test(cell);
}

const YEAR = /^(?:19|20)\d\d$/;
/** The number of a name, such as `F1`, `CO2`, and `Top-1`. */
const NUMBER_IN_NAME = /(?<=[a-z]-?)\d{1,2}(?![\d.,:]*[\d%‰])/giu;

/** Whether a row may name the columns of those below it: it has no number, or a year above other values. In doubt, it claims something. */
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

/** Headers above each other name a column together: `Cranes 2021`. */
function namesOf(headers: string[][]): string[] {
  const count = Math.max(0, ...headers.map(({ length }) => length));
  return Array.from({ length: count }, (_, column) => {
    const names = headers.flatMap((cells) => (cells[column] ? [cells[column]] : []));
    return [...new Set(names)].join(' ');
  });
}
