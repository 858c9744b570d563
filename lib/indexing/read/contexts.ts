import type { Extracted } from '../../formats/extract.ts';
import { FLAT_HEADING } from '../../formats/format.ts';
import { beginning } from '../../text/cut-text.ts';

const MAX_HEADING_LENGTH = 100;
const MAX_CONTEXT_LENGTH = 400;

interface Heading {
  at: number;
  level: number;
  text: string;
}

/** Headings of the page rather than its text, for pages without elements that distinguish them. */
const BOILERPLATE =
  /^(?:(?:(?:main|site|page) )?(?:navigation|menu)(?: menu)?|(?:table of )?contents|on this page|in this article|skip to (?:main |the )?(?:content|navigation)|breadcrumbs?|related (?:articles|pages|posts|links)|目录|目錄|导航|導航|菜单|選單|相关(?:文章|链接|阅读)|跳(?:转|至|到).{0,2}(?:主要)?内容)[\s:：]*$/iu;

/**
 * Returns the context above a position in a text: the title, the headings above it, and the additions of the
 * format (`contexts`, such as a table's header row). Positions must be requested in order.
 */
export function contextReader(extracted: Extracted): (offset: number) => string {
  const headings = findHeadings(extracted);
  const title =
    headings[0]?.level === FLAT_HEADING && extracted.headings.size === 0
      ? undefined
      : headings.find(({ text }) => text !== '');
  const said = extracted.contexts ?? [];
  let above: Heading[] = [];
  let next = 0;
  let saidNext = 0;
  return (offset) => {
    for (; (headings[next]?.at ?? Number.POSITIVE_INFINITY) < offset; next++) {
      above = below(headings[next] as Heading, above);
    }
    while ((said[saidNext]?.at ?? Number.POSITIVE_INFINITY) < offset) saidNext++;
    const own = headings[next]?.at === offset ? headings[next] : undefined;
    const path = own === undefined ? above : below(own, above).slice(0, -1);
    const texts = [title, ...path].flatMap((each) => (each === undefined || each === own ? [] : each.text));
    return joinContext([...new Set(texts)].filter(Boolean), said[saidNext - 1]?.text);
  };
}

/** Returns the first heading, which names the text; undefined without headings. */
export function firstHeading(extracted: Extracted): string | undefined {
  return findHeadings(extracted).find(({ text }) => text !== '')?.text;
}

/** Returns the headings that apply from this heading on: itself, and higher-ranking ones before it. */
function below(heading: Heading, above: Heading[]): Heading[] {
  return [...above.filter(({ level }) => level < heading.level), heading];
}

function joinContext(headings: string[], said: string | undefined): string {
  const lines = [headings.join(' › '), said ?? ''].filter((line) => line !== '');
  return beginning(lines.join('\n'), MAX_CONTEXT_LENGTH).trim();
}

function findHeadings({ text, format, headings }: Extracted): Heading[] {
  const { heading: headingOf, isFence } = format.structure ?? {};
  if (headingOf === undefined) {
    const offsets = [...headings].sort((a, b) => a - b);
    return offsets.map((at) => ({
      at,
      level: FLAT_HEADING,
      text: withoutBoilerplate(shortened(lineAfter(text, at))),
    }));
  }
  const found: Heading[] = [];
  let inFence = false;
  for (let at = 0; at < text.length; ) {
    const line = lineAfter(text, at);
    const end = endOfLine(text, at);
    if (isFence?.(line)) inFence = !inFence;
    const heading = inFence ? undefined : headingOf(line, lineAfter(text, end + 1));
    if (heading !== undefined) found.push({ at, level: heading.level, text: shortened(heading.text) });
    at = end + 1;
  }
  return found;
}

/** Returns an empty name for boilerplate. It ends the previous section without naming a new one. */
function withoutBoilerplate(heading: string): string {
  return BOILERPLATE.test(heading) ? '' : heading;
}

function endOfLine(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  return newline === -1 ? text.length : newline;
}

/** Returns the part of a line that may affect a heading. */
function lineAfter(text: string, at: number): string {
  return beginning(text.slice(at, endOfLine(text, at)), 2 * MAX_HEADING_LENGTH);
}

function shortened(heading: string): string {
  return beginning(heading.trim(), MAX_HEADING_LENGTH).trim();
}
