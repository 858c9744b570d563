import { escapeHtml } from '../../lib/text/escape-html.ts';
import type { DocsPages } from './pages.ts';

/** The name of the results page, which the build writes without any results. */
export const SEARCH_PAGE = 'search';
const RESULTS = '<!--results-->';
const MAX_WORDS = 8;
const MAX_FOUND = 20;
const AROUND = 90;
/** Weight of decision records. They explain the past, so other pages with the same words come first. */
const ADR_WEIGHT = 0.3;

interface Section {
  path: string;
  title: string;
  heading: string;
  anchor: string;
  text: string;
  /** The whole section in lower case, for searching. */
  lower: string;
}

interface Found {
  section: Section;
  score: number;
}

const sections = new WeakMap<DocsPages, Section[]>();

/** Returns the search page with the sections that contain all words of the query, one per page, best first. */
export function showFound(pages: DocsPages, html: string, query = ''): string {
  const words = query.toLowerCase().split(/\s/).filter(Boolean).slice(0, MAX_WORDS);
  if (words.length === 0) return html.replace(RESULTS, '<p>Enter a word, an error code, or a setting.</p>');
  const found = search(pages, words);
  const list = found.map(({ section }) => itemOf(section, words)).join('\n');
  const shown =
    found.length === 0 ? '<p>No page has all these words.</p>' : `<ol class="found">\n${list}\n</ol>`;
  return html.replace(RESULTS, () => `<p>Pages with <q>${escapeHtml(query)}</q>:</p>\n${shown}`);
}

function search(pages: DocsPages, words: string[]): Found[] {
  const best = new Map<string, Found>();
  for (const section of sectionsOf(pages)) {
    const score = scoreOf(section, words);
    if (score > (best.get(section.path)?.score ?? 0)) best.set(section.path, { section, score });
  }
  return [...best.values()].sort((a, b) => b.score - a.score).slice(0, MAX_FOUND);
}

/** Returns a section's score: zero unless it contains all words. A word in a heading counts most. */
function scoreOf({ path, title, heading, lower }: Section, words: string[]): number {
  const heads = `${title} ${heading}`.toLowerCase();
  if (!words.every((word) => lower.includes(word))) return 0;
  const scores = words.map((word) => (heads.includes(word) ? 6 : 0) + Math.min(lower.split(word).length, 5));
  const sum = scores.reduce((all, score) => all + score, 0);
  return path.startsWith('adr/') ? sum * ADR_WEIGHT : sum;
}

function sectionsOf(pages: DocsPages): Section[] {
  const kept = sections.get(pages) ?? [...pages].flatMap(([path, html]) => split(path, html));
  sections.set(pages, kept);
  return kept;
}

function split(path: string, html: string): Section[] {
  const main = html.slice(html.indexOf('<main>'), html.lastIndexOf('</main>'));
  const title = textOf(main.slice(main.indexOf('<h1'), main.indexOf('</h1>'))) || path;
  return main.split(/(?=<h[23] )/).map((part) => {
    const [, anchor = '', heading = ''] = /^<h[23] id="([^"]*)">(.*)<\/h[23]>/.exec(part) ?? [];
    const section = { path, title, heading: textOf(heading), anchor, text: textOf(part) };
    return { ...section, lower: `${section.title} ${section.text}`.toLowerCase() };
  });
}

function itemOf({ path, title, heading, anchor, text }: Section, words: string[]): string {
  const name = heading === '' ? title : `${title} › ${heading}`;
  const target = anchor === '' ? path : `${path}#${anchor}`;
  return `<li><a href="${escapeHtml(target)}">${escapeHtml(name)}</a><br>${excerptOf(text, words)}</li>`;
}

/** Returns the text around the first matching word, with the word highlighted. */
function excerptOf(text: string, words: string[]): string {
  const lower = text.toLowerCase();
  const word = words.find((each) => lower.includes(each)) ?? '';
  const at = Math.max(0, lower.indexOf(word));
  const end = at + word.length;
  const before = text.slice(Math.max(0, at - AROUND), at);
  return `${escapeHtml(before)}<mark>${escapeHtml(text.slice(at, end))}</mark>${escapeHtml(text.slice(end, end + AROUND))}`;
}

/** Returns the text between the tags; pages have no other `<`. */
function textOf(html: string): string {
  const texts = html.split('<').map((part) => part.slice(part.indexOf('>') + 1));
  return texts
    .join(' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();
}
