import { toLine } from '../text/one-line.ts';

/** What a file states about itself, unchecked: its properties, and the title on its first page. */
export interface StatedFacts {
  title?: string;
  authors?: string[];
  /** A date of the document, as written. */
  date?: string;
  /** Texts that may contain a DOI or another identifier. */
  identifiers?: string[];
  tags?: string[];
  /** The programs that made the file, which often write their own names into its properties. */
  programs?: string[];
  /** The largest lines at the top of the first page. */
  shownTitle?: string;
  /**
   * True if a person wrote the facts for readers, as in front matter or in a book, so that they need no
   * confirmation.
   */
  isPublished?: true;
}

/** Returns no facts if they are unreadable, because the text of the file matters more. */
export function factsIfReadable(read: () => Promise<StatedFacts>): Promise<StatedFacts> {
  return read().catch(() => ({}));
}

const MAX_TEXT = 500;
const MAX_LIST = 100;
/** The maximum number of characters to check. A property may be as long as the file. */
const MAX_READ = 4000;

/**
 * Returns the facts, with each text short, on one line, and without control characters. Omits other values.
 */
export function statedFacts(values: { [Name in keyof StatedFacts]: unknown }): StatedFacts {
  const facts: Record<string, unknown> = {};
  for (const name of ['title', 'date', 'shownTitle'] as const) {
    const text = factText(values[name]);
    if (text !== '') facts[name] = text;
  }
  for (const name of ['authors', 'identifiers', 'tags', 'programs'] as const) {
    const texts = listOf(values[name]);
    if (texts.length > 0) facts[name] = texts;
  }
  if (values.isPublished === true) facts.isPublished = true;
  return facts;
}

/** Returns a value as a short text on one line; empty if it isn't text. */
export function factText(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value;
  if (text instanceof Date && !Number.isNaN(text.getTime())) return text.toISOString().slice(0, 10);
  if (typeof text !== 'string') return '';
  return toLine(text.slice(0, MAX_READ), MAX_READ)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TEXT)
    .toWellFormed();
}

function listOf(value: unknown): string[] {
  const items = Array.isArray(value) ? value.slice(0, MAX_LIST) : [value];
  return [...new Set(items.map(factText).filter((text) => text !== ''))];
}
