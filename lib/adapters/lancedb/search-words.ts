import { foldForSearch, foldText } from '../../api-contract/fold-text.ts';
import type { Passage } from '../../ports/vectors.ts';

const WORD = /[A-Za-z][A-Za-z0-9_]*/g;
const HAS_HUMP = /[a-z][A-Z]/;
const HUMPS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;
/** Maximum words that one passage adds to the text index. */
const MAX_WORDS = 400;
const MAX_WORD = 40;

/**
 * Returns the folded text to index for full-text search: the passage, its context, the words of its path, and
 * other forms of words.
 */
export function searchableText({ path, context, text }: Pick<Passage, 'path' | 'context' | 'text'>): string {
  return withOtherForms([context, text, path].join('\n'));
}

/** Returns the query folded in the same way. */
export function searchableQuery(query: string): string {
  return withOtherForms(query);
}

/**
 * Adds other forms of words. A word that is hyphenated at a line end keeps both parts, and the whole word is
 * added.
 */
function withOtherForms(text: string): string {
  const forms = new Set<string>();
  for (const form of otherForms(text)) {
    if (forms.size >= MAX_WORDS) break;
    forms.add(form);
  }
  return [foldText(text, { as: 'search', joined: false }).text, ...forms].join('\n');
}

/** Only characters outside ASCII are superscript or have accents, and matching these is the slowest. */
function* otherForms(text: string): Iterable<string> {
  yield* identifierParts(text);
  if (MAY_DIVIDE.test(text)) yield* wholeWords(text);
  if (IS_ASCII.test(text)) return;
  yield* raisedWords(text);
  yield* accentedWords(text);
}

/**
 * Yields the parts of identifiers like `readFile`, which the tokenizer would keep whole. The tokenizer itself
 * splits snake_case and paths.
 */
function* identifierParts(text: string): Iterable<string> {
  if (!HAS_HUMP.test(text)) return;
  for (const [word] of text.matchAll(WORD)) {
    if (!HAS_HUMP.test(word)) continue;
    for (const [part] of word.matchAll(HUMPS)) if (part.length > 1) yield part.toLowerCase();
  }
}

const IS_ASCII = /^\p{ASCII}*$/u;
/** Matches the characters that may divide a word, which takes much less time than matching whole words. */
const MAY_DIVIDE = /[-\u00AD\u2010\u058A][^\S\n]*\n/;
const DIVIDED = /[\p{L}\p{M}]{1,40}[-\u00AD\u2010\u058A][^\S\n]*\n[^\S\n]*\p{Ll}[\p{L}\p{M}]{0,40}/gu;

function* wholeWords(text: string): Iterable<string> {
  for (const [divided] of text.matchAll(DIVIDED)) yield foldForSearch(divided);
}

/** Yields `co2` for `CO₂`. A superscript number may also be a footnote, so the word without it stays too. */
function* raisedWords(text: string): Iterable<string> {
  for (const [word] of text.matchAll(/[\p{L}\p{Nd}]{0,40}\p{No}[\p{L}\p{N}]{0,40}/gu))
    yield foldForSearch(word.normalize('NFKC'));
}

/** Yields words with their accents, so that the exact word ranks first among words that fold to the same. */
function* accentedWords(text: string): Iterable<string> {
  for (const [word] of foldText(text).text.matchAll(/[a-z]*[[\p{L}\p{M}]--[a-z]][\p{L}\p{M}]*/giv)) {
    if (word.length > MAX_WORD || !IS_ACCENTED.test(word)) continue;
    const small = word.toLowerCase();
    if (foldForSearch(word) !== small) yield small;
  }
}

/** Matches scripts with accents. Words of other scripts have no other forms. */
const IS_ACCENTED =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}]/u;
