import { flat } from '../../api-contract/flat.ts';
import type { TextRun } from '../../formats/format.ts';
import type { WordsAround } from '../../support/rules/takes-back.ts';
import type { ReadText } from './nearest.ts';
import { SENTENCE_END } from './sentences-within.ts';

/** The number of characters to show on either side of the text, and above a list or a table. */
const BEFORE = 300;
const AFTER = 200;
const ABOVE = 200;
/**
 * The number of characters to show to a judge on either side. Together, they are as many as in a passage of
 * the index.
 */
const PASSAGE = 750;
/** The maximum distance to the start of a list or a table above, and to the heading, in characters. */
const REACH = 4000;
/** The maximum length of the markup between two texts in characters. */
const MAX_GAP = 500;
const SENTENCE_ENDED = /[.!?。！？]["'”’)\]」』）]*$/u;
const ITEM = /^\s{0,8}(?:[-*+•]|\d{1,3}[.)]|\p{L}[.)])\s/u;
const HEADING = /^#{1,6}\s/u;

/**
 * Returns the words around a quote that show its meaning: the rest of its sentence, the sentences before and
 * after it, the rest of a table's row with the header, and the text above a list (`The following statements
 * are false:`).
 */
export function wordsAround(file: ReadText, place: TextRun, headings = ''): WordsAround {
  const { text, start, end } = shownAround(file, place);
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const line = text.slice(from, endOfLine(text, end));
  const above = text.slice(Math.max(0, from - REACH), from);
  const isBlock = isRow(line) || ITEM.test(line);
  const lead = isBlock ? [leadIn(above, line)] : [];
  const near = text.slice(Math.max(isBlock ? from : 0, start - BEFORE), start);
  const after = text.slice(end, end + AFTER);
  const isWhole = SENTENCE_ENDED.test(text.slice(Math.max(0, end - 3), end));
  const heading = headings === '' ? headingIn(above) : headings.slice(-ABOVE);
  const before = withHeading(heading, isBlock ? [...lead, near] : [lastSentence(near)]);
  const rest = flat(isBlock ? after.slice(0, endOfBlock(after, line)) : nextSentence(after, isWhole));
  if (isRow(line)) return { before, after: rest };
  const wide = text.slice(Math.max(0, start - PASSAGE), start);
  const shown = withHeading(heading, wide.includes(lead[0] ?? '') ? [wide] : [...lead, wide]);
  return { before, after: rest, passage: show(shown, flat(text.slice(end, end + PASSAGE))) };
}

function withHeading(heading: string, texts: string[]): string {
  const isIn = texts.some((text) => text.includes(heading));
  return flat([...(isIn ? [] : [heading]), ...texts].join('\n'));
}

/** Returns the visible text around a place, without markup and comments. */
function shownAround({ text, runs }: ReadText, { start, end }: TextRun) {
  const [from, to] = [start - REACH, end + PASSAGE];
  const near = runs.filter((run) => run.end > from && run.start < to);
  let shown = '';
  let at = start;
  for (const [n, run] of near.entries()) {
    if (n > 0) shown += markOf(text.slice(near[n - 1]?.end ?? run.start, run.start).slice(-MAX_GAP));
    const first = Math.max(run.start, from);
    if (first <= start && start < run.end) at = shown.length + start - first;
    shown += text.slice(first, Math.min(run.end, to));
  }
  return { text: shown, start: at, end: at + end - start };
}

/** Returns a replacement for the markup between two texts, as in Markdown. */
function markOf(gap: string): string {
  if (/<li\b/i.test(gap)) return '\n- ';
  if (/<tr\b/i.test(gap)) return '\n| ';
  if (/<t[dh]\b/i.test(gap)) return ' | ';
  if (/<\/?(?:p|div|h\d|section|blockquote|table|[uo]l)\b/i.test(gap)) return '\n\n';
  return gap.includes('\n') ? '\n' : ' ';
}

/** Returns the passage of a quote for a judge: `The following statements are false: […]`. Empty if there is none. */
export function showPassage({ before, after, passage = show(before, after) }: WordsAround): string {
  return passage;
}

function show(before: string, after: string): string {
  return before === '' && after === '' ? '' : `${before} […] ${after}`.trim();
}

function isRow(line: string): boolean {
  return line.includes('|');
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/**
 * Returns the header of a table, with the words above it. For a list, returns the words above its first item.
 */
function leadIn(above: string, line: string): string {
  const lines = above.split('\n').slice(0, -1);
  const isOfBlock = isRow(line) ? isRow : (each: string) => !HEADING.test(each) && isOfList(each);
  let first = lines.length;
  while (first > 0 && (isOfBlock(lines[first - 1] ?? '') || isBlankWithin(lines, first, isOfBlock))) first--;
  const [header = ''] = isRow(line) ? lines.slice(first) : [];
  const words = lastSentence(lines.slice(0, first).join('\n').trimEnd());
  return `${words.slice(-ABOVE)}\n${header.slice(0, ABOVE)}`;
}

/** Returns whether a line is an item of a list, or continues one. */
function isOfList(line: string): boolean {
  return ITEM.test(line) || /^\s{2,}\S/u.test(line);
}

/** Returns whether a line is empty and between two items. */
function isBlankWithin(lines: string[], first: number, isOfBlock: (line: string) => boolean): boolean {
  return (lines[first - 1] ?? '').trim() === '' && isOfBlock(lines[first - 2] ?? '');
}

function headingIn(above: string): string {
  return (
    above
      .split('\n')
      .findLast((line) => HEADING.test(line))
      ?.slice(0, ABOVE) ?? ''
  );
}

/** Returns the part of a sentence before a place, with the sentence before it. */
function lastSentence(before: string): string {
  const ends = [...before.matchAll(SENTENCE_END)].map(({ 0: end, index }) => index + end.length);
  const inner = ends.filter((end) => end < before.trimEnd().length);
  const isWhole = SENTENCE_ENDED.test(before.trimEnd()) || endsParagraph(before);
  return before.slice(inner.at(isWhole ? -1 : -2) ?? 0);
}

function endsParagraph(before: string): boolean {
  return before.slice(before.trimEnd().length).split('\n').length > 2;
}

/** Returns the rest of a sentence, and the next one. */
function nextSentence(after: string, isWhole: boolean): string {
  const ends = [...after.matchAll(SENTENCE_END)].filter(({ index }) => after.slice(0, index).trim() !== '');
  const end = ends[isWhole ? 0 : 1];
  return end === undefined ? after : after.slice(0, end.index + end[0].length);
}

/** Returns the end of a row or an item. A row ends with its line, an item at the start of the next one. */
function endOfBlock(after: string, line: string): number {
  const end = isRow(line)
    ? after.indexOf('\n')
    : after.search(/\n(?=\s*\n|\s{0,8}(?:[-*+•]|\d{1,3}[.)])\s)/u);
  return end === -1 ? after.length : end;
}
