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

interface Row {
  start: number;
  end: number;
  cells: Cell[];
  /** The words of its first cell. */
  label: string[];
}

interface Table {
  rows: Row[];
  /** Its first row, if that says what is in the columns. */
  header: Row | undefined;
}

const ROW = /^[^|\n\r\u2028\u2029]*\|[^\n\r\u2028\u2029]*$/gmu;
/** `|---|---|` of Markdown. */
const RULE = /^[\s|:-]+$/u;
const WORD = /[\p{L}\p{N}]+/gu;
const YEAR = /^\s*(?:1[5-9]|20)\d\d\s*$/u;
/** In brackets, or as the first word, which is a plural. */
const UNIT_IN_HEADER = /[([](?<unit>[^()[\]\d]{1,20})[)\]]\s*$|^(?<unit>\p{L}{2,20}s)(?:\s\p{L}|$)/u;
const MAX_ROWS = 50;
/** A sentence with more is a list of its own. */
const MAX_NUMBERS = 12;

/**
 * Returns numbers that the quotes have only in rows of a table that the sentence doesn't name, where it names another row; or only in
 * columns whose header it doesn't name, where it names another one. What a header has belongs to every row.
 */
export function misplacedNumbers(sentence: Said, quotes: Said[]): string[] {
  const tables = quotes.map((quote) => ({ quote, table: tableIn(quote.text) }));
  if (tables.every(({ table }) => table.rows.length < 2)) return [];
  const named = namesIn(sentence.text);
  const own = new Set(sentence.quantities.map(({ value }) => value));
  const shared = quotes.map((quote) => quote.quantities.filter(({ value }) => own.has(value)));
  return sentence.quantities
    .slice(0, MAX_NUMBERS)
    .filter(({ value }) => {
      const places = tables.flatMap(({ quote, table }, at) => {
        const taken = (shared[at] ?? []).filter((place) => place.value !== value);
        return quote.quantities
          .filter((other) => other.value === value)
          .map(({ start }) => isElsewhere(table, start, { named, taken }));
      });
      return places.length > 0 && places.every((is) => is);
    })
    .map(({ text }) => text);
}

/** Whether the first line of a table says what is in its columns, next to a row of it. */
export function isHeaderLine(lines: { first: string; second: string; row: string }): boolean {
  const text = [lines.first, ...(RULE.test(lines.second) ? [lines.second] : []), lines.row].join('\n');
  return tableIn(text).header !== undefined;
}

/** A number of a column is also one of the unit that its header names: `Years at sea`, `Area (ha)`. */
export function withUnitsOfColumns(
  { text, quantities }: Said,
  unitsOf: (name: string) => string[],
): Quantity[] {
  const { rows, header } = text.includes('|') ? tableIn(text) : { rows: [], header: undefined };
  if (header === undefined) return quantities;
  return quantities.flatMap((quantity) => {
    const row = rows.find(({ start, end }) => start <= quantity.start && quantity.start < end);
    if (row === undefined || row === header || quantity.units.length > 0) return [quantity];
    const column = columnAt(row, quantity.start);
    const isBare = row.cells[column]?.text.trim() === quantity.text && !YEAR.test(quantity.text);
    const name = header.cells[column]?.text.trim() ?? '';
    const units = isBare ? unitsOf(UNIT_IN_HEADER.exec(name)?.groups?.unit ?? '') : [];
    return units.length === 0 ? [quantity] : [quantity, { ...quantity, units }];
  });
}

type Names = (label: string[]) => boolean;

/**
 * Whether a sentence has all words of a label. A single letter is one of a name only where it is a capital (`a margin` isn't `Product A`);
 * between Chinese words there are no blanks.
 */
function namesIn(text: string): Names {
  const words = new Set(wordsOf(text));
  const letters = new Set(text.slice(1).match(/(?<!\p{L})\p{Lu}(?!\p{L})/gu));
  const has = (word: string) => {
    if (/\p{Script=Han}/u.test(word)) return text.includes(word);
    return /^\p{L}$/u.test(word) ? letters.has(word.toUpperCase()) : words.has(word);
  };
  return (label) => label.length > 0 && label.every(has);
}

interface Told {
  named: Names;
  /** Where the other numbers of the sentence are. */
  taken: Quantity[];
}

function isElsewhere({ rows, header }: Table, at: number, { named, taken }: Told): boolean {
  const isNamed = ({ label }: Row) => named(label);
  const row = rows.find(({ start, end }) => start <= at && at < end);
  if (row === undefined || row === header) return false;
  const isOtherRow = !isNamed(row) && rows.some(isNamed);
  // A column that the sentence names for another number of the row isn't named for this one.
  const isTaken = (column: number) =>
    taken.some(({ start }) => row.start <= start && start < row.end && columnAt(row, start) === column);
  return isOtherRow || isInOtherColumn(header?.cells ?? [], columnAt(row, at), { named, isTaken });
}

/**
 * The numbers of their headers distinguish columns (`Cranes 2021`, `Cranes 2022`), or else their words: the sentence names another one,
 * and nothing of its own. The first column has the labels of the rows.
 */
function isInOtherColumn(
  headers: Cell[],
  column: number,
  { named, isTaken }: { named: Names; isTaken(column: number): boolean },
): boolean {
  const own = headers[column];
  if (own === undefined) return false;
  const isNumbered = (cell: Cell) => numbersOf(cell).some((number) => named([number]));
  const isOther = (_: Cell, at: number) => at !== column && !isTaken(at);
  if (numbersOf(own).length > 0) return !isNumbered(own) && headers.filter(isOther).some(isNumbered);
  const labels = headers.findIndex(({ text }) => text.trim() !== '');
  if (column <= labels) return false;
  const others = headers.filter((cell, at) => at > labels && isOther(cell, at));
  return !titleOf(own).some((word) => named([word])) && others.some((cell) => named(titleOf(cell)));
}

/** The words of a header without its unit: `Margin (%)`. */
function titleOf({ text }: Cell): string[] {
  return wordsOf(text.replace(/[([（][^()[\]（）]*[)\]）]\s*$/u, ''));
}

function numbersOf({ text }: Cell): string[] {
  return text.match(/\d+/gu) ?? [];
}

function columnAt({ cells }: Row, at: number): number {
  return cells.findIndex(({ start, end }) => start <= at && at < end);
}

/** An item of a list within a sentence, with its value: `cyclones (48 %), starfish (42 %)`. */
const ITEM =
  /(?<=^|[,;:]\s|\b(?:and|or)\s)(?<label>[^(),;:.|\n]{3,60}?)\s\((?<value>[^()|\n]{0,8}\d[^()|\n]{0,12})\)/gu;
const LEAST_ITEMS = 3;

/** A list whose items have their values in brackets, as the rows of a table. */
function listIn(text: string): Row[] {
  const items = [...text.matchAll(ITEM)].slice(0, MAX_ROWS);
  if (items.length < LEAST_ITEMS) return [];
  return items.map(({ 0: item, index, groups: { label = '' } = {} }) => {
    const last = wordsOf(label).slice(-1);
    return { start: index, end: index + item.length, cells: [], label: last };
  });
}

function tableIn(text: string): Table {
  if (!text.includes('|')) return { rows: listIn(text), header: undefined };
  const lines = [...text.matchAll(ROW)].slice(0, MAX_ROWS);
  const rows = lines.filter(([line]) => !RULE.test(line)).map(({ 0: line, index }) => rowOf(line, index));
  const isRuled = RULE.test(lines[1]?.[0] ?? '');
  const [first, ...rest] = rows;
  return { rows, header: first !== undefined && (isRuled || isHeader(first, rest)) ? first : undefined };
}

/** Whether no cell of a first row is a value, which begins with a digit; years are none above something else. */
function isHeader({ cells }: Row, rest: Row[]): boolean {
  const isYears = (column: number) => rest.every((row) => YEAR.test(row.cells[column]?.text ?? ''));
  const isTitle = ({ text }: Cell, column: number) =>
    YEAR.test(text) ? !isYears(column) : !/^[^\p{L}]*\d/u.test(text);
  return rest.length > 0 && cells.every(isTitle);
}

function rowOf(line: string, index: number): Row {
  const cells: Cell[] = [];
  let start = index;
  for (const text of line.split('|')) {
    cells.push({ text, start, end: start + text.length });
    start += text.length + 1;
  }
  const [label = ''] = cells.map(({ text }) => text).filter((text) => text.trim() !== '');
  return { start: index, end: index + line.length, cells, label: wordsOf(label) };
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}
