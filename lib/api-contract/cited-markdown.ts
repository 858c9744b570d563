import type { CslItem } from './csl-item.ts';
import { numbersOf } from './marker-place.ts';
import { splitAnswer } from './split-answer.ts';

/** What a number of a text cites: a document by its key, and the page of the quote. */
export interface KeyedSource {
  key: string;
  page?: string | undefined;
}

interface CitedText {
  text: string;
  items: readonly CslItem[];
  /** The name of a style in the CSL repository, such as `apa`. */
  style: string;
  heading: string;
}

/** Where Pandoc and citation managers find the styles of the CSL repository by name. */
const STYLES = 'https://www.zotero.org/styles/';
/** A name of a style. */
const STYLE = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export function isStyleName(name: string): boolean {
  return STYLE.test(name) && name.length <= 100;
}

/**
 * Returns a Markdown document with its own bibliography: `pandoc --citeproc` writes the citations and the list in the style.
 * JSON is also YAML.
 */
export function citedMarkdown({ text, items, style, heading }: CitedText): string {
  const metadata = {
    csl: `${STYLES}${style}`,
    'reference-section-title': heading,
    references: items.map(asMarkdownItem),
  };
  const lines = Object.entries(metadata).map(([name, value]) => `${name}: ${asYaml(value)}`);
  return `---\n${lines.join('\n')}\n---\n\n${text.trim()}\n`;
}

/** Escapes characters that YAML doesn't accept, even in strings. */
function asYaml(value: unknown): string {
  const unprintable = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;
  return JSON.stringify(value).replace(
    unprintable,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Pandoc reads the strings of metadata as Markdown. */
function asMarkdownItem(item: CslItem): CslItem {
  const escaped = (value: unknown): unknown => {
    if (typeof value === 'string') return escapeMarkdown(value);
    if (Array.isArray(value)) return value.map(escaped);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, escaped(inner)]));
  };
  return { ...(escaped(item) as CslItem), id: item.id, type: item.type };
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>$^~@#|&{}]/g, '\\$&');
}

/**
 * Returns a text that cites by key, as Pandoc, Quarto, and the check of drafts read it: `[@smith2020, p. 3; @jones2021]`.
 * Numbers without a source are removed. Other signs that would cite something are escaped.
 */
export function citeByKey(text: string, sources: ReadonlyMap<number, KeyedSource>): string {
  let written = '';
  let open: KeyedSource[] = [];
  const close = () => {
    if (open.length > 0) written += `${/[\s(（]$|^$/.test(written) ? '' : ' '}[${showKeys(open)}]`;
    open = [];
  };
  for (const { kind, text: piece } of splitAnswer(text)) {
    if (kind === 'marker') {
      open.push(...numbersOf(piece).flatMap((number) => sources.get(number) ?? []));
      continue;
    }
    close();
    written += kind === 'text' ? piece.replace(/(?<![\p{L}\p{N}/\\])@(?=[\p{L}\p{N}_{])/gu, '\\@') : piece;
  }
  close();
  return written;
}

/** Each key once, with all of its pages. */
function showKeys(sources: KeyedSource[]): string {
  const pages = Map.groupBy(sources, ({ key }) => key);
  return [...pages].map(([key, places]) => `@${keyText(key)}${pageText(places)}`).join('; ');
}

/** Keys that end with a punctuation mark, or have two in a row, are in braces. */
function keyText(key: string): string {
  return /^[\p{L}\p{N}_]+(?:[:.#$%&+?<>~/-][\p{L}\p{N}_]+)*$/u.test(key) ? key : `{${key}}`;
}

function pageText(places: KeyedSource[]): string {
  const pages = [...new Set(places.flatMap(({ page }) => page ?? []))];
  if (pages.length === 0) return '';
  return `, ${pages.length === 1 ? 'p.' : 'pp.'} ${pages.join(', ')}`;
}
