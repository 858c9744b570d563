import type { Passage } from '../../ports/vectors.ts';

const WORD = /[A-Za-z][A-Za-z0-9_]*/g;
const HUMPS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;
/** Bounds what one passage adds to the index. */
const MAX_WORDS = 400;

/**
 * The text for full-text search: the text and its context above, the words of its path, and the parts of identifiers like
 * `readFile`, which the tokenizer would keep whole (it splits snake_case and paths itself).
 */
export function searchableText({ path, context, text }: Pick<Passage, 'path' | 'context' | 'text'>): string {
  return [context, text, path, ...identifierParts(`${path} ${text}`)].join('\n');
}

/** The query with the parts of its identifiers. */
export function searchableQuery(query: string): string {
  return [query, ...identifierParts(query)].join(' ');
}

function identifierParts(text: string): Set<string> {
  const parts = new Set<string>();
  for (const [word] of text.matchAll(WORD)) {
    if (parts.size >= MAX_WORDS) break;
    if (!/[a-z][A-Z]/.test(word)) continue;
    for (const [part] of word.matchAll(HUMPS)) if (part.length > 1) parts.add(part.toLowerCase());
  }
  return parts;
}
