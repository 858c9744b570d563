import type { Language } from './language.ts';
import { scaleNamed, unitNamed } from './named-units.ts';
import { once } from './once.ts';
import type { Quantity } from './quantity.ts';

interface Said {
  text: string;
  quantities: Quantity[];
}

interface Cell {
  start: number;
  end: number;
  text: string;
}

/** A row of a table, or a line like `Length: 12 m`. */
export interface TableRow {
  start: number;
  end: number;
  cells: Cell[];
  /** The index of its first cell with text, which is its label. */
  label: number;
  /** An ID that the rows of a table share, as do adjacent lines. */
  table: string;
  isTable: boolean;
  /** The row that names the columns. */
  header?: TableRow | undefined;
}

const ROW = /^[^|\n\r\u2028\u2029]*\|[^\n\r\u2028\u2029]*$/gmu;
/** Matches a line like `Length: 12 m`, also as a list item or with its label in bold. */
const LABELED =
  /^[ \t]*(?:[-*+•·][ \t]+|\d{1,3}[.)][ \t]+)?(?<label>[^:：|\n.!?。]{1,60}[:：]\**)[ \t]*(?<value>[^\s|/][^|\n]{0,300})$/gmu;
/** Matches the delimiter row of Markdown: `|---|---|`. */
const RULE = /^[\s|:-]+$/u;
const YEAR = /^\s*(?:1[5-9]|20)\d\d\s*$/u;
/** Matches a unit in parentheses, or as the first word if that is a plural. */
const UNIT_IN_HEADER = /[([](?<unit>[^()[\]\d]{1,20})[)\]]\s*$|^(?<unit>\p{L}{2,20}s)(?:\s\p{L}|$)/u;
const MAX_ROWS = 100;

/** Returns whether the first line of a table is a header row, judging by another row of the table. */
export function isHeaderLine(lines: { first: string; second: string; row: string }): boolean {
  const text = [lines.first, ...(RULE.test(lines.second) ? [lines.second] : []), lines.row].join('\n');
  return tableIn(text)[0]?.header !== undefined;
}

/**
 * Adds the unit that the header of a column or the line above the table names to each number in it: `Years at sea`,
 * `Area (ha)`, `in million euros`.
 */
export function withUnitsOfColumns({ text, quantities }: Said, language: Language | undefined): Quantity[] {
  const rows = text.includes('|') ? tableIn(text) : [];
  const header = rows[0]?.header;
  if (header === undefined) return quantities;
  const unitOf = unitsOfColumns(text, header, language);
  return quantities.flatMap((quantity) => {
    const row = rows.find(({ start, end }) => start <= quantity.start && quantity.start < end);
    if (row === undefined || quantity.units.length > 0) return [quantity];
    const column = row.cells.findIndex(({ start, end }) => start <= quantity.start && quantity.start < end);
    const isBare = row.cells[column]?.text.trim() === quantity.text && !YEAR.test(quantity.text);
    const unit = isBare ? unitOf(column) : undefined;
    if (unit === undefined) return [quantity];
    return [quantity, { ...quantity, value: quantity.value * unit.factor, units: unit.units }];
  });
}

/** Returns a function that returns the unit of a column. Each is read once, because reading takes longer than comparing. */
function unitsOfColumns(text: string, header: TableRow, language: Language | undefined) {
  const scale = once(() => scaleNamed(captionAbove(text, header.start), language));
  const known = header.cells.map((cell) => {
    return once(() => {
      const own = UNIT_IN_HEADER.exec(cell.text.trim())?.groups?.unit;
      return (own === undefined ? undefined : unitNamed(own, language)) ?? scale();
    });
  });
  return (column: number) => (known[column] ?? scale)();
}

const MAX_CAPTION = 300;
const MAX_GAP = 2;

/** Returns the line above a table, which may be a caption; empty if it is long, as in prose, or far above. */
export function captionAbove(text: string, start: number): string {
  const above = text.slice(Math.max(0, start - MAX_CAPTION - MAX_GAP), start);
  const lines = above.trimEnd().split('\n');
  const gap = above.length - above.trimEnd().length;
  const isWhole = lines.length > 1 || start <= MAX_CAPTION + MAX_GAP;
  return isWhole && gap <= MAX_GAP ? (lines.at(-1) ?? '').trim() : '';
}

/** Returns the rows of tables, except header rows, and labeled lines that are next to others. */
export function rowsIn(text: string): TableRow[] {
  return [...(text.includes('|') ? tableIn(text) : []), ...labeledLines(text)];
}

/** Returns the header of a column without its unit: `Margin (%)`. */
export function headOf({ header }: TableRow, column: number): string {
  return (header?.cells[column]?.text ?? '').replace(/[([（][^()[\]（）]*[)\]）]\s*$/u, '');
}

function labeledLines(text: string): TableRow[] {
  const lines = [...text.matchAll(LABELED)].slice(0, MAX_ROWS).map(({ 0: line, index, groups = {} }) => {
    const { label = '', value = '' } = groups;
    const [from, end] = [index + line.indexOf(label), index + line.length];
    const cells = [
      { start: from, end: from + label.length, text: label },
      { start: end - value.length, end, text: value },
    ];
    return { start: index, end, cells, label: 0, isTable: false };
  });
  let table = 0;
  const rows = lines.map((line, at): TableRow => {
    const isNext = at > 0 && text.slice(lines[at - 1]?.end, line.start).trim() === '';
    if (!isNext) table++;
    return { ...line, table: `lines ${table}` };
  });
  return rows.filter(({ table: own }) => rows.filter((other) => other.table === own).length > 1);
}

function tableIn(text: string): TableRow[] {
  const lines = [...text.matchAll(ROW)].slice(0, MAX_ROWS);
  const rows = lines.filter(([line]) => !RULE.test(line)).map(({ 0: line, index }) => rowOf(line, index));
  const isRuled = RULE.test(lines[1]?.[0] ?? '');
  const [first, ...rest] = rows;
  const hasHeader = first !== undefined && (isRuled || isHeader(first, rest));
  return hasHeader ? rest.map((row) => ({ ...row, header: first })) : rows;
}

/**
 * Returns whether a first row contains no value. A value starts with a digit, except a year above other
 * contents.
 */
function isHeader({ cells }: TableRow, rest: TableRow[]): boolean {
  const isYears = (column: number) => rest.every((row) => YEAR.test(row.cells[column]?.text ?? ''));
  const isTitle = ({ text }: Cell, column: number) =>
    YEAR.test(text) ? !isYears(column) : !/^[^\p{L}]*\d/u.test(text);
  return rest.length > 0 && cells.every(isTitle);
}

function rowOf(line: string, index: number): TableRow {
  const cells: Cell[] = [];
  let start = index;
  for (const text of line.split('|')) {
    cells.push({ text, start, end: start + text.length });
    start += text.length + 1;
  }
  const label = cells.findIndex(({ text }) => text.trim() !== '');
  return { start: index, end: index + line.length, cells, label, table: 'table', isTable: true };
}
