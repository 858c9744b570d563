import type { TextRun } from '../../formats/format.ts';
import { shownInMarkdown } from '../../formats/shown-markdown.ts';
import { blankRuns, type Line, linesOf, outsideRuns } from '../../formats/shown-runs.ts';
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
/** Patterns for the end of a paragraph, and for the marker of an item or a footnote. */
const MARKED = {
  rule: /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/,
  item: /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|^\[\^[^\]\n]{1,200}\]:[ \t]*/,
};
const PLAIN = {
  rule: /^\s*[-=*_~]{3,}\s*$/,
  item: /^\s*(?:[-*•·–]\s+|\d{1,3}[.)]\s+|[（(]\d{1,3}[)）]\s*)/,
};

type Place = TextRun & Pick<DraftBlock, 'isHeading' | 'row'>;

/**
 * Returns the paragraphs, headings, items, and rows of a Markdown text. Code, display formulas, and metadata are
 * skipped.
 */
export function markdownBlocks(source: string): DraftBlock[] {
  const shown = blankRuns(asShown(source), outsideRuns(source.length, shownInMarkdown(source)), '\0');
  const lines = withoutPassages([...linesOf(shown)]).map(withoutQuoteMarks);
  return blocksIn(shown, lines, MARKED).map((block) => ({ ...block, shown: withoutMarks(block.shown) }));
}

/** Returns the paragraphs and items of plain text. Headings and tables count only if they are marked as in Markdown. */
export function plainTextBlocks(source: string): DraftBlock[] {
  return blocksIn(source, [...linesOf(source)], PLAIN);
}

/** Replaces HTML superscripts, keeping the length of the text. */
function asShown(source: string): string {
  return source.replace(/<sup>[^<>[\]\n]{1,20}<\/sup>/gi, raiseDigits);
}

/** Treats code, metadata, and formulas as empty lines. */
function withoutPassages(lines: Line[]): Line[] {
  let ends: ((text: string) => boolean) | undefined;
  return lines.map((line) => {
    const isInside = ends !== undefined;
    if (ends?.(line.text)) ends = undefined;
    else ends ??= endOfPassage(line.text, line.start === 0);
    return isInside || ends !== undefined || MATH.test(line.text) ? { ...line, text: '' } : line;
  });
}

/** Returns undefined if no passage starts, or if it ends in its first line. */
function endOfPassage(text: string, isFirst: boolean): ((text: string) => boolean) | undefined {
  const fence = FENCE.exec(text)?.[1];
  if (fence !== undefined) return (line) => FENCE.exec(line)?.[1]?.startsWith(fence) === true;
  if (isFirst && text === '---') return (line) => /^(?:---|\.\.\.)$/.test(line);
  const math = MATH.exec(text)?.[1];
  if (math === undefined) return undefined;
  const close = math === '$$' ? '$$' : '\\]';
  return text.trim().slice(2).includes(close) ? undefined : (line) => line.includes(close);
}

function withoutQuoteMarks({ start, end, text }: Line): Line {
  const length = QUOTED.exec(text)?.[0].length ?? 0;
  return { start: start + length, end, text: text.slice(length) };
}

function blocksIn(source: string, lines: Line[], marks: typeof MARKED): DraftBlock[] {
  const tables = findTableLines(lines.map(({ text }) => text));
  const state: State = { source, marks, places: [], isOpen: false, inList: false };
  for (const [at, line] of lines.entries()) {
    const wasOpen = state.isOpen;
    // A list continues in indented lines.
    if (!wasOpen && /^[^\s\0]/.test(line.text)) state.inList = false;
    state.isOpen = false;
    readLine(state, line, tables[at], wasOpen);
  }
  return state.places.map(({ start, end, ...kind }) => ({ start, shown: source.slice(start, end), ...kind }));
}

interface State {
  source: string;
  marks: typeof MARKED;
  /** The places of the blocks. The last one may still grow. */
  places: Place[];
  /** True if the next line continues the last block. */
  isOpen: boolean;
  inList: boolean;
}

function readLine(state: State, line: Line, inTable: TableLine | undefined, wasOpen: boolean): void {
  const { marks, places } = state;
  const { start, end, text } = line;
  const last = places.at(-1);
  if (inTable === 'rule') return;
  if (inTable !== undefined) places.push(rowAt(line, inTable));
  else if (last !== undefined && wasOpen && UNDERLINE.test(text) && mayBeTitle(state, last))
    last.isHeading = true;
  else if (ATX.test(text)) places.push({ start, end, isHeading: true });
  else if (text.replaceAll('\0', '').trim() !== '' && !marks.rule.test(text))
    readContent(state, line, wasOpen ? last : undefined);
}

/**
 * Returns whether a block may be a title. In plain text, the line below a paragraph of several lines is only
 * a divider.
 */
function mayBeTitle({ source, marks }: State, { start, end }: Place): boolean {
  return marks === MARKED || !source.slice(start, end).includes('\n');
}

/** Reads an item, a row, or a line of a paragraph. */
function readContent(state: State, line: Line, paragraph: Place | undefined): void {
  const { marks, places } = state;
  const { start, end, text } = line;
  const item = marks.item.exec(text)?.[0].length ?? 0;
  if (item > 0) state.inList = true;
  else if (marks === MARKED && ROW.test(text)) {
    places.push(rowAt(line, 'alone'));
    return;
  } else if (marks === MARKED && INDENTED.test(text) && paragraph === undefined && !state.inList) return; // code
  if (item === 0 && paragraph !== undefined) paragraph.end = end;
  else places.push({ start: start + item, end });
  state.isOpen = true;
}

/** Returns a row of a table without its outer pipes. The header row doesn't contain a claim. */
function rowAt({ start, end, text }: Line, row: NonNullable<DraftBlock['row']>): Place {
  const { before, after } = outerPipes(text);
  return {
    ...{ start: start + before, end: Math.max(start + before, end - after), row },
    ...(row === 'header' && { isHeading: true }),
  };
}

/** Replaces each character that readers don't see with `\0`, so that the text keeps its length. */
function unseen(text: string): string {
  return '\0'.repeat(text.length);
}

/** Keeps the text between marks in its position, except for struck-out text. */
function withoutMarks(text: string): string {
  return text
    .replace(/(?<=\n)(?:[ \t]*>)+[ \t]?/g, unseen)
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
