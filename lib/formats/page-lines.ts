import { type PageRow, pageTables, type TextPiece } from './page-tables.ts';
import type { PageLine } from './running-lines.ts';
import { joinCells } from './sheets.ts';

/** A piece of a page's text, from the engine. */
export interface TextItem {
  str: string;
  /** The last two numbers are its start position on the page. */
  transform: number[];
  width: number;
  height: number;
  hasEOL: boolean;
}

export interface PageShape {
  /** The left, bottom, right, and top edges. */
  view: number[];
  rotate: number;
}

/**
 * Returns a page's visible lines in drawing order, with letters that are drawn in pieces joined. Each row of a table is a
 * line, at the place of the table's first text.
 */
export function pageLinesOf(items: TextItem[], shape: PageShape): PageLine[] {
  const drawn = drawnLines(items, shape).map((line) => ({ line, pieces: piecesOf(line) }));
  const tables = pageTables(drawn.flatMap(({ pieces }) => pieces));
  const tableOf = new Map(
    tables.flatMap((rows) => rows.flatMap(({ pieces }) => pieces.map((piece) => [piece, rows] as const))),
  );
  const added = new Set<PageTable>();
  const lines = drawn.flatMap(({ line, pieces }) => {
    if (!pieces.some((piece) => tableOf.has(piece))) return [lineOf(line, shape)];
    return pieces.flatMap((piece) => {
      const table = tableOf.get(piece);
      if (table === undefined) return [lineOf(piece.items, shape)];
      if (added.has(table)) return [];
      added.add(table);
      return table.map((row) => rowLine(row, shape));
    });
  });
  return joinColumns(lines).map(({ line }) => line);
}

/** A piece of a line that has no wide gap. */
interface LinePiece extends TextPiece {
  items: TextItem[];
}

type PageTable = PageRow<LinePiece>[];

function rowLine({ pieces, cells }: PageRow<LinePiece>, shape: PageShape): DrawnLine {
  const { line, first } = lineOf(pieces[0]?.items ?? [], shape);
  return { line: { ...line, text: joinCells(cells) }, first };
}

/** Returns the visible items of each line. */
function drawnLines(items: TextItem[], { view }: PageShape): TextItem[][] {
  const lines: TextItem[][] = [];
  const isAgain = drawnBefore();
  let stretch: TextItem[] = [];
  let dropped = false;
  for (const item of items) {
    if (isAgain(item)) dropped = true;
    else if (isOnPage(item, view)) stretch.push(item);
    if (!item.hasEOL) continue;
    if (stretch.length > 0 || !dropped) lines.push(stretch);
    stretch = [];
    dropped = false;
  }
  return [...lines, stretch];
}

/** The minimum gap between two cells, in heights of letters. The engine splits its items at smaller ones. */
const CELL_GAP = 0.6;

/** Splits a line at its wide gaps. Rotated text and single characters of vertical writing are no pieces. */
function piecesOf(line: TextItem[]): LinePiece[] {
  if (line.some(({ transform }) => transform[1] !== 0)) return [];
  const pieces: TextItem[][] = [];
  let before: TextItem | undefined;
  for (const item of line) {
    const isBlank = item.str.trim() === '';
    if (isBlank || (before !== undefined && isNext(before, item))) pieces.at(-1)?.push(item);
    else pieces.push([item]);
    if (!isBlank) before = item;
  }
  return pieces.map(pieceOf).filter(({ text }) => !UPRIGHT.test(text) || /\d/.test(text));
}

function isNext({ transform: from, width, height }: TextItem, { transform }: TextItem): boolean {
  const step = (transform[4] ?? 0) - (from[4] ?? 0);
  return step >= 0 && step - width < CELL_GAP * height;
}

/** Its items go to the right. A file may draw more of them in a line than a function takes arguments. */
function pieceOf(items: TextItem[]): LinePiece {
  const written = items.filter(({ str }) => str.trim() !== '');
  const [, , , , left = 0, y = 0] = written[0]?.transform ?? [];
  let [right, height] = [left, 0];
  for (const item of written) {
    right = Math.max(right, (item.transform[4] ?? 0) + item.width);
    height = Math.max(height, item.height);
  }
  return { items, text: joinItems(items).trim(), left, right, y, height };
}

interface DrawnLine {
  line: PageLine;
  /** The first item with more than whitespace. */
  first: TextItem | undefined;
}

function lineOf(items: TextItem[], { view, rotate }: PageShape): DrawnLine {
  const first = items.find(({ str }) => str.trim() !== '');
  const text = joinItems(items);
  if (first === undefined || rotate !== 0) return { line: { text }, first };
  return { line: { text, place: placeOnPage(first, view) }, first };
}

function placeOnPage({ transform, height }: TextItem, [, bottom = 0, , top = 0]: number[]) {
  const y = transform[5] ?? 0;
  return { fromTop: (top - y) / (top - bottom), fromBottom: (y - bottom) / (top - bottom), height };
}

/** Returns whether any of it is on the visible page, in any writing direction. Readers don't see the rest. */
function isOnPage(
  { transform, width, height }: TextItem,
  [left = 0, bottom = 0, right = 0, top = 0]: number[],
) {
  const [x = 0, y = 0] = transform.slice(4);
  const reach = Math.max(width, height);
  return !(x + reach < left || x - reach > right || y + reach < bottom || y - reach > top);
}

/**
 * The maximum distance, as a share of the letters' height. A copy that is drawn for a bold look or a shadow
 * is closer to the original.
 */
const COPY_DISTANCE = 1 / 8;

/** The maximum number of positions of a text to compare, because a copy is drawn soon after the original. */
const MAX_PLACES = 8;

/** Returns a function that tells whether an item was already drawn at nearly the same position. */
function drawnBefore(): (item: TextItem) => boolean {
  const places = new Map<string, TextItem[]>();
  return (item) => {
    const before = places.get(item.str);
    if (before === undefined) places.set(item.str, [item]);
    else if (before.some((other) => isCopy(item, other))) return true;
    else places.set(item.str, [item, ...before.slice(0, MAX_PLACES - 1)]);
    return false;
  };
}

function isCopy({ str, transform, height }: TextItem, other: TextItem): boolean {
  const isNear = (axis: 4 | 5) =>
    Math.abs((transform[axis] ?? 0) - (other.transform[axis] ?? 0)) < height * COPY_DISTANCE;
  return isNear(4) && isNear(5) && str.trim() !== '';
}

/**
 * The minimum overlap. The items of a line overlap only if something is drawn over a letter: an accent, or
 * the letter again.
 */
const MIN_OVERLAP = 1 / 6;
const MAX_OVERLAP = 1;

function overlapOf(before: TextItem, { transform, height }: TextItem): number {
  const [x = 0, y = 0] = transform.slice(4);
  const [startBefore = 0, yBefore = 0] = before.transform.slice(4);
  const overlap = (startBefore + before.width - x) / height;
  const isNear = Math.abs(y - yBefore) < height / 2 && overlap > MIN_OVERLAP && overlap < MAX_OVERLAP;
  return isNear ? overlap : 0;
}

function joinItems(items: TextItem[]): string {
  let text = '';
  /** The start of the second of two overlapping items, whose first letter was already drawn. */
  let again: number | undefined;
  let before: TextItem | undefined;
  for (const item of items.filter(({ str }) => str !== '')) {
    const overlap = before === undefined ? 0 : overlapOf(before, item);
    const composed = overlap === 0 ? undefined : withAccent(text, item.str, overlap);
    if (composed === undefined && overlap > 0) again ??= text.length;
    if (overlap === 0 && item.str.trim() !== '') {
      text = withoutAgain(text, again);
      again = undefined;
    }
    text = composed ?? text + item.str;
    before = item;
  }
  return withoutAgain(text, again);
}

/** Removes letters that are each drawn twice, starting with the one before `again`. */
function withoutAgain(text: string, again: number | undefined): string {
  if (again === undefined) return text;
  const from = Math.max(0, again - 1);
  const [twice = ''] = /^(?:(\S)\s?\1\s?)+/u.exec(text.slice(from)) ?? [];
  return text.slice(0, from) + twice.replace(/(\S)\s?\1/gu, '$1') + text.slice(from + twice.length);
}

/** Accents whose compatibility decomposition doesn't show their mark. */
const MARKS: Record<string, string> = {
  '`': '\u0300',
  '^': '\u0302',
  '\u02c6': '\u0302',
  '~': '\u0303',
  '\u02c7': '\u030c',
};
const DOTLESS: Record<string, string> = { '\u0131': 'i', '\u0237': 'j' };

/**
 * The PDF engine considers an accent a word of its own if it starts more than a tenth of the letters' height
 * after the previous letter. That applies to an accent over a lowercase letter, if the accent is a third and
 * the letter more than half as wide as high; these overlap within this range.
 */
const APART = [0.42, 0.46] as const;

/**
 * Joins the next text if one of the two ends with an accent that is drawn over the first letter of the other.
 */
function withAccent(text: string, next: string, overlap: number): string | undefined {
  const [letter = ''] = next;
  const over = compose(letter, text.slice(-1));
  if (over !== undefined) {
    const isApart =
      overlap > APART[0] && overlap < APART[1] && /\p{L} .$/u.test(text) && /\p{Ll}/u.test(over);
    return text.slice(0, isApart ? -2 : -1) + over + next.slice(letter.length);
  }
  const under = compose(text.slice(-1), letter);
  return under === undefined ? undefined : text.slice(0, -1) + under + next.slice(letter.length);
}

function compose(letter: string, accent: string): string | undefined {
  const mark = MARKS[accent] ?? /^ (\p{M})$/u.exec(accent.normalize('NFKD'))?.[1];
  if (mark === undefined || !/\p{L}/u.test(letter)) return undefined;
  const composed = ((DOTLESS[letter] ?? letter) + mark).normalize('NFC');
  return composed.length === 1 ? composed : undefined;
}

/** A character in vertical writing: a wide one, or a number of two digits. */
const UPRIGHT =
  /^\s*(?:[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u2010-\u2026\u3000-\u30ff\uff00-\uffef]|\d{1,2})\s*$/u;
/** The maximum step in character heights. */
const MAX_STEP = 1.6;
const MAX_SHIFT = 0.5;
/** The minimum number of characters in a column. A shorter one isn't text. */
const MIN_COLUMN = 3;

/** Joins characters drawn below each other. Each column of vertical writing is a line. */
function joinColumns(lines: DrawnLine[]): DrawnLine[] {
  const joined: DrawnLine[] = [];
  let column: DrawnLine[] = [];
  const endColumn = () => {
    if (column.length < MIN_COLUMN) joined.push(...column);
    else joined.push(asLine(column));
    column = [];
  };
  for (const line of lines) {
    const last = column.at(-1);
    if (last !== undefined && !isUnder(last, line)) endColumn();
    column.push(line);
  }
  endColumn();
  return joined;
}

function asLine(column: DrawnLine[]): DrawnLine {
  const [{ line, first } = { line: { text: '' }, first: undefined }] = column;
  return { line: { ...line, text: column.map((each) => each.line.text.trim()).join('') }, first };
}

function isUnder(upper: DrawnLine, lower: DrawnLine): boolean {
  if (upper.first === undefined || lower.first === undefined) return false;
  if (!UPRIGHT.test(upper.line.text) || !UPRIGHT.test(lower.line.text)) return false;
  const { height, transform } = upper.first;
  const [x = 0, y = 0] = transform.slice(4);
  const [xUnder = 0, yUnder = 0] = lower.first.transform.slice(4);
  const step = (y - yUnder) / height;
  return step > 0 && step < MAX_STEP && Math.abs(x - xUnder) < height * MAX_SHIFT;
}
