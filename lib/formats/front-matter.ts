import { CORE_SCHEMA, load } from 'js-yaml';
import { type StatedFacts, statedFacts } from './stated-facts.ts';

/** The maximum number of characters, because the parser is slow, and a document's facts are short. */
const MAX_FRONT = 20_000;
const FRONT = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
const LIMITS = { schema: CORE_SCHEMA, maxAliases: 0, maxDepth: 10 };

/**
 * Reads the YAML above a Markdown text, as in Pandoc, Quarto, and Jekyll. Empty if there is none, or it's
 * broken.
 */
export function frontMatter(text: string): StatedFacts {
  const yaml = FRONT.exec(text.slice(0, MAX_FRONT))?.[1];
  if (yaml === undefined) return {};
  const { title, author, authors = author, year, date = year, doi, tags, keywords } = fieldsOf(yaml);
  const people = Array.isArray(authors) ? authors : [authors];
  const identifiers = doi;
  return statedFacts({
    title,
    authors: people.map(nameOf),
    date,
    identifiers,
    tags: [tags, keywords].flatMap((each) => (typeof each === 'string' ? each.split(',') : tagsOf(each))),
    isPublished: true,
  });
}

/** Returns a Markdown text without its front matter, whose last line would look like an underlined heading. */
export function withoutFrontMatter(text: string): string {
  const front = FRONT.exec(text.slice(0, MAX_FRONT))?.[0] ?? '';
  return text.slice(front.length);
}

/** An author is a name, or an object that contains one. */
function nameOf(author: unknown): unknown {
  return typeof author === 'object' && author !== null && 'name' in author ? author.name : author;
}

/** Returns the tags in lists within lists. Those below a name get it as their first part: `birds/owls`. */
function tagsOf(tags: unknown): unknown[] {
  if (Array.isArray(tags)) return tags.flatMap(tagsOf);
  if (typeof tags !== 'object' || tags === null) return [tags];
  return Object.entries(tags).flatMap(([name, below]) => {
    const parts = tagsOf(below).filter((part) => part !== null);
    return parts.length === 0 ? [name] : parts.map((part) => `${name}/${String(part).trim()}`);
  });
}

function fieldsOf(yaml: string): Record<string, unknown> {
  try {
    const fields = load(yaml, LIMITS);
    return typeof fields === 'object' && fields !== null ? { ...fields } : {};
  } catch {
    return {};
  }
}
