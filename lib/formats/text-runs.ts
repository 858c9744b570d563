import { Parser } from 'htmlparser2';
import { InvalidInput } from '../errors.ts';
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

/** The parser takes time by the square of the depth. */
const MAX_OPEN_TAGS = 2000;
const MAX_HTML_CHARACTERS = 10 * 1024 * 1024;

/**
 * The readable text of an HTML source, piece by piece, each with its place in the source. Throws InvalidInput for what
 * would take too long.
 */
export function htmlRuns(source: string): HtmlRun[] {
  if (source.length > MAX_HTML_CHARACTERS) throw new InvalidInput('HTML over 10 MB: not indexed');
  const runs: HtmlRun[] = [];
  let unread = 0;
  let open = 0;
  let breakBefore: HtmlRun['breakBefore'] = 0;
  const isXml = /^\ufeff?\s*<\?xml\b/.test(source);
  const parser = new Parser(
    {
      onopentag(name) {
        if (++open > MAX_OPEN_TAGS) throw new InvalidInput(`HTML deeper than ${MAX_OPEN_TAGS} elements`);
        if (UNREAD.has(name)) unread++;
        if (BLOCKS.has(name)) breakBefore = /^h[1-6]$/.test(name) ? 2 : (Math.max(breakBefore, 1) as 1 | 2);
      },
      ontext(text) {
        if (unread > 0 || text === '') return;
        runs.push({ start: parser.startIndex, end: parser.endIndex + 1, text, breakBefore });
        if (text.trim() !== '') breakBefore = 0; // white space between blocks does not use up the break
      },
      onclosetag(name) {
        open--;
        if (UNREAD.has(name) && unread > 0) unread--;
        if (BLOCKS.has(name)) breakBefore = Math.max(breakBefore, 1) as 1 | 2;
      },
    },
    // XHTML may close a tag in itself, `<script src="…"/>`; HTML may not.
    { recognizeSelfClosing: isXml, recognizeCDATA: isXml },
  );
  parser.end(source);
  return runs;
}

/**
 * The stretches of a source that stand in it as they are read, so that a quote within one is an exact substring of the
 * file: the text between tags for HTML (neighbours joined, entities left out), the whole text for anything else. None for
 * HTML that is not indexed either.
 */
export function textRuns(path: string, source: string): TextRun[] {
  if (fileKind(path) !== 'html') return [{ start: 0, end: source.length }];
  const joined: TextRun[] = [];
  for (const { start, end, text } of readableRuns(source)) {
    if (source.slice(start, end) !== text) continue;
    const last = joined.at(-1);
    if (last?.end === start) last.end = end;
    else joined.push({ start, end });
  }
  return joined;
}

function readableRuns(source: string): HtmlRun[] {
  try {
    return htmlRuns(source);
  } catch (error) {
    if (error instanceof InvalidInput) return [];
    throw error;
  }
}
