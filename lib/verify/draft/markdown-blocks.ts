import type { TextRun } from '../../formats/format.ts';
import { shownInMarkdown } from '../../formats/shown-markdown.ts';
import { type Line, linesOf, outsideRuns } from '../../formats/shown-runs.ts';
import { raiseDigits } from '../../text/raise-digits.ts';
import { addTableLine, blankRuns, blocksOfLines, unseen } from './blocks-of-lines.ts';
import type { DraftBlock } from './draft.ts';
import { findTableLines, type TableLine } from './markdown-tables.ts';

const FENCE = /^[ \t>]*(?:[-*+][ \t]+)?(`{3,}|~{3,})/;
const ATX = /^ {0,3}#{1,6}(?:[ \t]+|$)/;
const UNDERLINE = /^ {0,3}(?:=+|-{2,})$/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const QUOTED = /^(?:[ \t]*>)+[ \t]?/;
const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/;
const FOOTNOTE = /^\[\^[^\]\n]{1,200}\]:[ \t]*/;
const ROW = /^[ \t]*\|.*\|$/;
const INDENTED = /^(?: {4}|\t)/;
const MATH = /^[ \t]*(\$\$|\\\[)/;

/** Paragraphs, headings, items, and rows of a text in Markdown. Code, formulas on lines of their own, and metadata aren't read. */
export function markdownBlocks(source: string): DraftBlock[] {
  const shown = blankRuns(asShown(source), outsideRuns(source.length, shownInMarkdown(source)));
  const lines = [...linesOf(shown)];
  const tables = findTableLines(lines.map(({ text }) => text.replace(QUOTED, '')));
  const state: State = { blocks: blocksOfLines(), quotes: [], inList: false };
  for (const [at, line] of lines.entries()) {
    if (!isPassedOver(state, line)) readLine(state, withoutQuoteMarks(state, line), tables[at]);
  }
  const unquoted = blankRuns(shown, state.quotes);
  return state.blocks.finish(unquoted).map((block) => ({ ...block, shown: withoutMarks(block.shown) }));
}

/** Superscripts in HTML, of the same length. */
function asShown(source: string): string {
  return source.replace(/<sup>[^<>[\]\n]{1,20}<\/sup>/gi, raiseDigits);
}

interface State {
  blocks: ReturnType<typeof blocksOfLines>;
  /** The marks of quoted lines. */
  quotes: TextRun[];
  inList: boolean;
  /** Whether a line ends what is passed over. */
  ends?: ((text: string) => boolean) | undefined;
}

/** Code, metadata, and formulas. */
function isPassedOver(state: State, { text, start }: Line): boolean {
  if (state.ends !== undefined) {
    if (state.ends(text)) state.ends = undefined;
    return true;
  }
  state.ends = endOfPassage(text, start === 0);
  if (state.ends === undefined && !MATH.test(text)) return false;
  state.blocks.end();
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
  const { blocks } = state;
  // A list continues in indented lines.
  if (!blocks.isOpen() && /^[^\s\0]/.test(line.text)) state.inList = false;
  if (inTable !== undefined) addTableLine(blocks, line, inTable);
  else if (line.text.replaceAll('\0', '').trim() === '') blocks.end();
  else if (blocks.isOpen() && UNDERLINE.test(line.text)) blocks.endHeading();
  else if (RULE.test(line.text)) blocks.end();
  else if (ATX.test(line.text)) blocks.addHeading(line);
  else readContent(state, line);
}

function readContent(state: State, line: Line): void {
  const { blocks } = state;
  const { start, end, text } = line;
  const item = ITEM.exec(text) ?? FOOTNOTE.exec(text);
  if (item !== null) {
    state.inList = true;
    blocks.end();
    blocks.add({ start: start + item[0].length, end });
  } else if (ROW.test(text)) blocks.addRow(line, 'alone');
  else {
    const isCode = INDENTED.test(text) && !blocks.isOpen() && !state.inList;
    if (!isCode) blocks.add({ start, end });
  }
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
