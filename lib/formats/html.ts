import { Parser } from 'htmlparser2';
import { Unreadable } from '../errors.ts';
import { raiseDigits } from '../text/raise-digits.ts';
import type { Format, ReadRun } from './format.ts';
import { type Hiding, hidingOf } from './hidden-text.ts';

export const html: Format<'html', 'markup'> = {
  name: 'html',
  version: 6,
  title: 'HTML',
  extensions: ['html', 'htm', 'xhtml'],
  webType: /^(text\/html|application\/xhtml)/i,
  mediaType: 'text/html',
  content: 'markup',
  unit: 'line',
};

/** Elements whose content isn't text of the page. */
export const SKIPPED_ELEMENTS = new Set(['script', 'style', 'nav', 'template', 'noscript', 'svg']);
/** Landmark roles with the same meaning: `<div role="navigation">` is a `<nav>`. */
const SKIPPED_ROLE = /^\s*(?:navigation|search)\s*$/i;

/**
 * Elements and roles that surround a page's content. Inside the content, the same elements are its title,
 * notes, or sources, and are read.
 */
const AROUND = new Set(['header', 'footer', 'aside']);
const AROUND_ROLE = /^\s*(?:banner|contentinfo|complementary)\s*$/i;
const CONTENT = new Set(['main', 'article', 'section']);
const CONTENT_ROLE = /^\s*(?:main|article)\s*$/i;

/** How to read a page. */
interface HtmlReading {
  /** Additional elements to skip. */
  skipped?: ReadonlySet<string>;
  /** True for a page without navigation, such as a book's. */
  isBare?: boolean;
  follower?: HtmlFollower | undefined;
}

/** Returns a function that decides, given its ancestors, whether an element is skipped. */
function skipping({ skipped, isBare = false }: HtmlReading) {
  const inContent: boolean[] = [isBare];
  return {
    open(name: string, { role = '' }: Record<string, string>): boolean {
      const within = inContent.at(-1) === true;
      inContent.push(within || CONTENT.has(name) || CONTENT_ROLE.test(role));
      if (skipped?.has(name) || SKIPPED_ROLE.test(role)) return true;
      if (SKIPPED_ELEMENTS.has(name)) return !(isBare && name === 'svg');
      return !within && (AROUND.has(name) || AROUND_ROLE.test(role));
    },
    close: () => inContent.pop(),
  };
}

/** Elements for text that is no longer valid, shown with a line through it. */
const STRUCK = new Set(['del', 's', 'strike']);

/** Elements that end a line of text. */
const BLOCKS = new Set(
  'address article aside blockquote body br dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main ol p pre section summary table tbody td tfoot th thead title tr ul'.split(
    ' ',
  ),
);

/** The maximum nesting depth, because the parser's time grows with its square. */
export const MAX_OPEN_TAGS = 2000;
const MAX_HTML_CHARACTERS = 10 * 1024 * 1024;

/** Receives a page's elements that aren't skipped, and the runs between their tags. */
export interface HtmlFollower {
  open(name: string, attributes: Record<string, string>): void;
  run(run: ReadRun): void;
  close(name: string): void;
}

/**
 * Returns the visible text of an HTML source in pieces, each with its position in the source. Throws Unreadable if it
 * would take too long.
 */
export function readHtmlRuns(source: string, reading: HtmlReading = {}): ReadRun[] {
  if (source.length > MAX_HTML_CHARACTERS)
    throw new Unreadable('size', 'The HTML is over 10 MB, which is too large to index.');
  const { runs, hasBody } = readRuns(source, reading);
  // If a page is entirely in a header, its content is there too.
  return hasBody || reading.isBare ? runs : readRuns(source, { ...reading, isBare: true }).runs;
}

function readRuns(source: string, reading: HtmlReading): { runs: ReadRun[]; hasBody: boolean } {
  const { follower } = reading;
  const runs: ReadRun[] = [];
  let unread = 0;
  let inTitle = false;
  let hasBody = false;
  /** One entry for each open element. */
  const hiding: Hiding[] = [];
  const skips: boolean[] = [];
  const skipped = skipping(reading);
  const superscript = readSuperscripts();
  let breakBefore: ReadRun['breakBefore'] = 0;
  const isXml = /^\ufeff?\s*<\?xml\b/.test(source);
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (hiding.push(hidingBy(name, attributes, hiding.at(-1) ?? 'none')) > MAX_OPEN_TAGS)
          throw new Unreadable('size', `The HTML has more than ${MAX_OPEN_TAGS} nested elements.`);
        if (skips[skips.push(skipped.open(name, attributes)) - 1]) unread++;
        superscript.open(name);
        inTitle = name === 'title';
        if (BLOCKS.has(name))
          breakBefore = unread > 0 ? (Math.max(breakBefore, 1) as 1 | 2) : breakOf(name, breakBefore);
        if (unread === 0) follower?.open(name, attributes);
      },
      ontext(text) {
        if (unread > 0 || text === '' || (hiding.at(-1) ?? 'none') !== 'none') return;
        const shown = superscript.show(text);
        const run = { start: parser.startIndex, end: parser.endIndex + 1, text: shown, breakBefore };
        runs.push(run);
        follower?.run(run);
        if (text.trim() === '') return; // white space between blocks doesn't use up the line break
        breakBefore = 0;
        hasBody ||= !inTitle;
      },
      onclosetag(name) {
        hiding.pop();
        superscript.close(name);
        inTitle = false;
        if (unread === 0) follower?.close(name);
        skipped.close();
        if (skips.pop() === true) unread--;
        if (BLOCKS.has(name)) breakBefore = Math.max(breakBefore, 1) as 1 | 2;
      },
    },
    // XHTML may self-close a tag, `<script src="…"/>`, but HTML may not.
    { recognizeSelfClosing: isXml, recognizeCDATA: isXml },
  );
  parser.end(source);
  return { runs, hasBody };
}

/** Returns how an element hides its text. */
export function hidingBy(name: string, attributes: Record<string, string>, outer: Hiding): Hiding {
  return STRUCK.has(name) ? 'all' : hidingOf(attributes, outer);
}

function breakOf(name: string, before: number): 1 | 2 {
  return /^h[1-6]$/.test(name) || before === 2 ? 2 : 1;
}

/**
 * Converts the digits of superscripts to superscript characters, except in `[3]`, which is already a
 * reference.
 */
function readSuperscripts() {
  let state: 'first' | 'raised' | undefined;
  return {
    open(name: string) {
      if (name === 'sup') state = 'first';
    },
    show(text: string): string {
      if (state === 'first') state = /^\s*[[(]/.test(text) ? undefined : 'raised';
      return state === 'raised' ? raiseDigits(text) : text;
    },
    close(name: string) {
      if (name === 'sup') state = undefined;
    },
  };
}
