import { Parser } from 'htmlparser2';
import { Unreadable } from '../errors.ts';
import { inProse } from '../markdown/prose.ts';
import type { TextRun } from './format.ts';
import type { Hiding } from './hidden-text.ts';
import { hidingBy, MAX_OPEN_TAGS, SKIPPED_ELEMENTS } from './html.ts';
import { blankRuns, outsideRuns, runsOf } from './shown-runs.ts';

/**
 * Returns the ranges of a Markdown source that readers see as its text: not comments, hidden elements, struck-out text,
 * tags with attributes, link titles, or references. Doubtful ranges count as hidden. Throws Unreadable for a source
 * that would take too long.
 */
export function shownInMarkdown(source: string): TextRun[] {
  const prose = withoutCode(source);
  const comments = runsOf(prose, COMMENT);
  const plain = blankRuns(prose, comments);
  return outsideRuns(source.length, [
    ...comments,
    ...hiddenByHtml(plain),
    ...struckOut(plain),
    ...titles(plain),
    ...references(plain),
  ]);
}

/** Matches comments, instructions, and declarations. Unclosed ones extend to the end. */
const COMMENT =
  /<!--[\s\S]*?(?:-->|$(?![\s\S]))|<\?[\s\S]*?(?:\?>|$(?![\s\S]))|<![a-z[][^>]*(?:>|$(?![\s\S]))/gi;
/** A block that starts with a tag continues as HTML, in which a fence has no meaning. */
const HTML_BLOCK = /^[ \t>*+-]*<[a-z!?/]/im;

/** Returns the text with its code replaced by spaces, where all Markdown readers agree that it is code. */
function withoutCode(source: string): string {
  if (HTML_BLOCK.test(source.replace(/^<!--.*-->[ \t\r]*$/gm, ''))) return source;
  const code = inProse(source, (piece) => '\0'.repeat(piece.length)).slice(0, source.length);
  return blankRuns(source, runsOf(code, /[^\0]+/g));
}

/** Tags within a sentence that don't hide text. */
const PLAIN_TAG = /^<\/?(?:a|b|br|code|em|i|ins|kbd|mark|p|small|span|strong|sub|sup|u)\s{0,9}\/?>$/i;

function hiddenByHtml(source: string): TextRun[] {
  const hidden: TextRun[] = [];
  const open: Hiding[] = [];
  let read = 0;
  const hide = (isHidden: boolean) => {
    const piece = { start: parser.startIndex, end: parser.endIndex + 1 };
    read = Math.max(read, piece.end);
    if (isHidden) hidden.push(piece);
  };
  const hideTag = () => hide(!PLAIN_TAG.test(source.slice(parser.startIndex, parser.endIndex + 1)));
  const parser = new Parser({
    onopentag(name, attributes) {
      const hiding = SKIPPED_ELEMENTS.has(name) ? 'all' : hidingBy(name, attributes, open.at(-1) ?? 'none');
      if (open.push(hiding) > MAX_OPEN_TAGS)
        throw new Unreadable('size', `The Markdown has more than ${MAX_OPEN_TAGS} nested elements.`);
      hideTag();
    },
    ontext: () => hide((open.at(-1) ?? 'none') !== 'none'),
    onclosetag(_, isImplied) {
      open.pop();
      if (!isImplied) hideTag();
    },
  });
  parser.end(source);
  // An unclosed tag includes everything after it.
  if (/<[a-z/][\s\S]*<[a-z/]/i.test(source.slice(read))) hidden.push({ start: read, end: source.length });
  return hidden;
}

/** Matches all blank lines at once, because a file may have millions of them. */
const PARAGRAPH_END = /\n(?:[ \t\r]*\n)+/g;
/** Struck-out text extends from one mark to the next in a paragraph. */
const STRIKE = new RegExp(`(?<![~\\\\])~~(?!~)|${PARAGRAPH_END.source}`, 'g');

function struckOut(source: string): TextRun[] {
  const struck: TextRun[] = [];
  let open: number | undefined;
  for (const { start, end } of runsOf(source, STRIKE)) {
    if (source.charAt(start) === '\n') open = undefined;
    else if (open === undefined) open = /\S/.test(source.charAt(end)) ? start : undefined;
    else if (/\S/.test(source.charAt(start - 1))) {
      struck.push({ start: open, end });
      open = undefined;
    }
  }
  return struck;
}

/**
 * A link's brackets and URL come before its title. The quotation mark is matched first, because looking back
 * from each space is slow.
 */
const TITLE_OPENS = /["'(](?<=(?:\]\(\s*\S+|\]\(\s*<[^<>\n]*>)\s[\s>]*["'(])/g;

function titles(source: string): TextRun[] {
  const closes = closings(source);
  return [...source.matchAll(TITLE_OPENS)].flatMap(({ 0: opening, index }) => {
    const end = closes(opening, index + 1);
    return end === undefined ? [] : [{ start: index, end }];
  });
}

const REFERENCE =
  /^[ \t>*+-]*(?:\d{1,9}[.)][ \t]+)?\[(?!\^)[^[\]]{1,999}\]:[ \t]*(?:\r?\n[ \t>]*)?(?:<[^<>\n]*>|[^\s<]\S*)/gm;

/** Matches `[name]: address "title"`, which readers don't see. Footnotes are visible. */
function references(source: string): TextRun[] {
  const closes = closings(source);
  return runsOf(source, REFERENCE).flatMap(({ start, end: afterAddress }) => {
    const lineEnd = endOfLine(source, afterAddress);
    const after = /\s[\s>]*(?=(["'(]))/y;
    after.lastIndex = afterAddress;
    const opening = after.exec(source)?.[1];
    const end = opening === undefined ? undefined : closes(opening, after.lastIndex + 1);
    if (end !== undefined && isBlank(source, end)) return [{ start, end }];
    return isBlank(source, afterAddress) ? [{ start, end: lineEnd }] : [];
  });
}

function isBlank(source: string, from: number): boolean {
  return source.slice(from, endOfLine(source, from)).trim() === '';
}

function endOfLine(source: string, from: number): number {
  const end = source.indexOf('\n', from);
  return end === -1 ? source.length : end;
}

/**
 * Returns a function that finds the end of a title after its opening mark, in the same paragraph. If
 * positions are requested in order, it checks each position once per mark.
 */
function closings(source: string): (opening: string, from: number) => number | undefined {
  const ends = paragraphEnds(source);
  const next = new Map<string, number>();
  let paragraph = 0;
  return (opening, from) => {
    const sign = opening === '(' ? ')' : opening;
    const close = closeFrom(source, sign, from, next.get(sign) ?? -1);
    next.set(sign, close);
    while ((ends[paragraph] ?? source.length) < from) paragraph++;
    return close < (ends[paragraph] ?? source.length) ? close + 1 : undefined;
  };
}

/** Returns the position of the next mark, given the last one found; the source's length if there is none. */
function closeFrom(source: string, sign: string, from: number, last: number): number {
  let close = last;
  while (close < source.length && (close < from || source.charAt(close - 1) === '\\')) {
    const found = source.indexOf(sign, Math.max(from, close + 1));
    close = found === -1 ? source.length : found;
  }
  return close;
}

function paragraphEnds(source: string): number[] {
  return runsOf(source, PARAGRAPH_END).map(({ start }) => start);
}
