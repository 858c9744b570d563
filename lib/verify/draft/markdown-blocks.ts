import type { TextRun } from '../../formats/format.ts';
import { shownInMarkdown } from '../../formats/shown-markdown.ts';
import { type Line, linesOf, outsideRuns } from '../../formats/shown-runs.ts';
import { raiseDigits } from '../../text/raise-digits.ts';
import type { DraftBlock } from './draft.ts';
import { findTableLines, outerPipes, type TableLine } from './markdown-tables.ts';

const FENCE = /^[ \t>]*(?:[-*+][ \t]+)?(`{3,}|~{3,})/;
const ATX = /^ {0,3}#{1,6}(?:[ \t]+|$)/;
const UNDERLINE = /^ {0,3}(?:=+|-{2,})$/;
const QUOTED = /^(?:[ \t]*>)+[ \t]?/;
const ROW = /^[ \t]*\|.*\|$/;
const INDENTED = /^(?: {4}|\t)/;
const MATH = /^[ \t]*(\$\$|\\\[)/;
/** What ends a paragraph, and what an item or a footnote begins with. */
const MARKED = {
  rule: /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/,
  item: /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|^\[\^[^\]\n]{1,200}\]:[ \t]*/,
};
const PLAIN = {
  rule: /^\s*[-=*_~]{3,}\s*$/,
  item: /^\s*(?:[-*•·–]\s+|\d{1,3}[.)]\s+|[（(]\d{1,3}[)）]\s*)/,
};

interface State {
  source: string;
  marks: typeof MARKED;
  /** Where the blocks are, as the last one is read. */
  places: (TextRun & Pick<DraftBlock, 'isHeading' | 'row'>)[];
  /** Whether the next line continues the last block. */
  isOpen: boolean;
  /** The marks of quoted lines. */
  quotes: TextRun[];
  inList: boolean;
  /** Whether a line ends what is passed over. */
  ends?: ((text: string) => boolean) | undefined;
}

function newState(source: string, marks: typeof MARKED): State {
  return { source, marks, places: [], isOpen: false, quotes: [], inList: false };
}

/** Paragraphs, headings, items, and rows of a text in Markdown. Code, formulas on lines of their own, and metadata aren't read. */
export function markdownBlocks(source: string): DraftBlock[] {
  const shown = blankRuns(asShown(source), outsideRuns(source.length, shownInMarkdown(source)));
  const lines = [...linesOf(shown)];
  const tables = findTableLines(lines.map(({ text }) => text.replace(QUOTED, '')));
  const state = newState(shown, MARKED);
  for (const [at, line] of lines.entries())
    if (!isPassedOver(state, line)) readLine(state, withoutQuoteMarks(state, line), tables[at]);
  const unquoted = blankRuns(shown, state.quotes);
  return blocksOf(state, unquoted).map((block) => ({ ...block, shown: withoutMarks(block.shown) }));
}

/** Paragraphs and items of plain text. Headings and tables are those that are marked as in Markdown. */
export function plainTextBlocks(source: string): DraftBlock[] {
  const lines = [...linesOf(source)];
  const tables = findTableLines(lines.map(({ text }) => text));
  const state = newState(source, PLAIN);
  for (const [at, line] of lines.entries()) readLine(state, line, tables[at]);
  return blocksOf(state, source);
}

function blocksOf({ places }: State, shown: string): DraftBlock[] {
  return places.map(({ start, end, ...kind }) => ({ start, shown: shown.slice(start, end), ...kind }));
}

/** Superscripts in HTML, of the same length. */
function asShown(source: string): string {
  return source.replace(/<sup>[^<>[\]\n]{1,20}<\/sup>/gi, raiseDigits);
}

/** Code, metadata, and formulas. */
function isPassedOver(state: State, { text, start }: Line): boolean {
  if (state.ends !== undefined) {
    if (state.ends(text)) state.ends = undefined;
    return true;
  }
  state.ends = endOfPassage(text, start === 0);
  if (state.ends === undefined && !MATH.test(text)) return false;
  state.isOpen = false;
  return true;
}

/** Returns undefined where the passage ends in its first line, and where none begins. */
function endOfPassage(text: string, isFirst: boolean): State['ends'] {
  const fence = FENCE.exec(text)?.[1];
  if (fence !== undefined) return (line) => FENCE.exec(line)?.[1]?.startsWith(fence) === true;
  if (isFirst && text === '---') return (line) => /^(?:---|\.\.\.)$/.test(line);
  const math = MATH.exec(text)?.[1];
  if (math === undefined) return undefined;
  const close = math === '$$' ? '$$' : '\\]';
  return text.trim().slice(2).includes(close) ? undefined : (line) => line.includes(close);
}

function withoutQuoteMarks({ quotes }: State, { start, end, text }: Line): Line {
  const length = QUOTED.exec(text)?.[0].length ?? 0;
  if (length > 0) quotes.push({ start, end: start + length });
  return { start: start + length, end, text: text.slice(length) };
}

function readLine(state: State, line: Line, inTable: TableLine | undefined): void {
  const { isOpen, marks, places } = state;
  const { start, end, text } = line;
  // A list continues in indented lines.
  if (!isOpen && /^[^\s\0]/.test(text)) state.inList = false;
  const isUnderline = isOpen && UNDERLINE.test(text) && mayBeTitle(state);
  state.isOpen = false;
  if (inTable !== undefined) addTableLine(state, line, inTable);
  else if (isUnderline) Object.assign(places.at(-1) ?? {}, { isHeading: true });
  else if (ATX.test(text)) places.push({ start, end, isHeading: true });
  else if (text.replaceAll('\0', '').trim() !== '' && !marks.rule.test(text))
    readContent(state, line, isOpen);
}

/** In plain text, a line below a paragraph of several lines is only a rule. */
function mayBeTitle({ source, marks, places }: State): boolean {
  const { start, end } = places.at(-1) ?? { start: 0, end: 0 };
  return marks === MARKED || !source.slice(start, end).includes('\n');
}

function readContent(state: State, { start, end, text }: Line, wasOpen: boolean): void {
  const { marks, places } = state;
  const last = places.at(-1);
  const item = marks.item.exec(text)?.[0].length ?? 0;
  if (item > 0) state.inList = true;
  const isMarked = marks === MARKED;
  if (item === 0 && isMarked && ROW.test(text)) addRow(state, { start, end, text }, 'alone');
  else if (item === 0 && isMarked && INDENTED.test(text) && !wasOpen && !state.inList)
    return; // code
  else {
    if (item === 0 && wasOpen && last !== undefined) last.end = end;
    else places.push({ start: start + item, end });
    state.isOpen = true;
  }
}

function addTableLine(state: State, line: Line, inTable: TableLine): void {
  if (inTable !== 'rule') addRow(state, line, inTable);
}

/** A row of a table, without the pipes around it. The row that names the columns claims nothing. */
function addRow({ places }: State, { start, end, text }: Line, row: NonNullable<DraftBlock['row']>): void {
  const { before, after } = outerPipes(text);
  places.push({
    ...{ start: start + before, end: Math.max(start + before, end - after), row },
    ...(row === 'header' && { isHeading: true }),
  });
}

/** Replaces by `\0` what readers don't see: a text keeps its length. */
function unseen(text: string): string {
  return '\0'.repeat(text.length);
}

function blankRuns(source: string, runs: TextRun[]): string {
  let shown = '';
  for (const { start, end } of runs) {
    if (end <= shown.length) continue;
    const from = Math.max(start, shown.length);
    shown += source.slice(shown.length, from) + unseen(source.slice(from, end));
  }
  return shown + source.slice(shown.length);
}

/** What is between the marks stays, at its place, but for what is struck out. */
function withoutMarks(text: string): string {
  return text
    .replace(/~~(?=\S)[^\n]{1,2000}?(?<=\S)~~/g, unseen)
    .replace(/^ {0,3}#{1,6}[ \t]+|(?<=[ \t])#+$|\{[#.][^{}\n]{0,200}\}$/g, unseen)
    .replace(/!\[[^[\]\n]{0,1000}\](?:\([^()\n]{0,2000}\)|\[[^[\]\n]{0,200}\])?/g, unseen)
    .replace(/\[\^[^[\]\n]{1,200}\]|\[[^[\]\n@]{0,100}@[^[\]\n]{1,500}\](?!\()/g, unseen)
    .replace(
      /\[([^[\]]{0,1000})\]([([][^()[\]\n]{0,2000}[)\]])/g,
      (_, inner: string, link: string) => `\0${inner}\0${unseen(link)}`,
    )
    .replace(/<(?:\/?[a-zA-Z][^<>\n]{0,1000}|!--[^<>\n]{0,1000}--)>/g, unseen)
    .replace(/`+/g, unseen)
    .replace(/\\(?=[!-/:-@[-`{-~])/g, unseen)
    .replace(/\*{1,3}(?=[^\s*])|(?<=[^\s*])\*{1,3}|~~/g, unseen)
    .replace(/(?<![\p{L}\p{N}_])_{1,3}(?=[^\s_])|(?<=[^\s_])_{1,3}(?![\p{L}\p{N}_])/gu, unseen);
}
