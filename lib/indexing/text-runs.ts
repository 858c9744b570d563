import { Parser } from 'htmlparser2';
import { fileKind } from './file-kinds.ts';

/** A stretch of the source: characters from 0, end exclusive. */
export interface TextRun {
  start: number;
  end: number;
}

/** Elements whose content nobody reads as text of the page. */
const UNREAD = new Set([
  'script',
  'style',
  'nav',
  'header',
  'footer',
  'aside',
  'template',
  'noscript',
  'svg',
]);

/** Elements that end a line of text. */
const BLOCKS = new Set(
  'address article blockquote body br dd details div dl dt fieldset figcaption figure h1 h2 h3 h4 h5 h6 hr html li main ol p pre section summary table tbody td tfoot th thead title tr ul'.split(
    ' ',
  ),
);

export interface HtmlRun extends TextRun {
  /** The readable text: the source itself, or a decoded entity. */
  text: string;
  /** 0 = goes on in the same line, 1 = a new block, 2 = a heading begins. */
  breakBefore: 0 | 1 | 2;
}

/** The readable text of an HTML source, piece by piece, each with its place in the source. Never throws, whatever the nesting. */
export function htmlRuns(source: string): HtmlRun[] {
  const runs: HtmlRun[] = [];
  let unread = 0;
  let breakBefore: HtmlRun['breakBefore'] = 0;
  const parser = new Parser({
    onopentag(name) {
      if (UNREAD.has(name)) unread++;
      if (BLOCKS.has(name)) breakBefore = /^h[1-6]$/.test(name) ? 2 : (Math.max(breakBefore, 1) as 1 | 2);
    },
    ontext(text) {
      if (unread > 0 || text === '') return;
      runs.push({ start: parser.startIndex, end: parser.endIndex + 1, text, breakBefore });
      if (text.trim() !== '') breakBefore = 0; // white space between blocks does not use up the break
    },
    onclosetag(name) {
      if (UNREAD.has(name) && unread > 0) unread--;
      if (BLOCKS.has(name)) breakBefore = Math.max(breakBefore, 1) as 1 | 2;
    },
  });
  parser.end(source);
  return runs;
}

/**
 * The stretches of a source that stand in it as they are read, so that a quote within one is an exact substring of the
 * file: the text between tags for HTML (neighbours joined, entities left out), the whole text for anything else.
 */
export function textRuns(path: string, source: string): TextRun[] {
  if (fileKind(path) !== 'html') return [{ start: 0, end: source.length }];
  const joined: TextRun[] = [];
  for (const { start, end, text } of htmlRuns(source)) {
    if (source.slice(start, end) !== text) continue;
    const last = joined.at(-1);
    if (last?.end === start) last.end = end;
    else joined.push({ start, end });
  }
  return joined;
}
