import { foldForSearch } from '../api-contract/fold-text.ts';
import type { Records } from '../ports/records.ts';
import { readAllMessages, textOf, toMessage } from './messages.ts';
import { type Conversation, type Message, searchTerms } from './schema.ts';

/** The maximum number of characters per conversation, because a hundred of these are read at once. */
const MAX_WORDS_CHARACTERS = 40_000;
const MAX_TERMS_OF_QUERY = 16;
/** Scripts without spaces between words, in which every two consecutive characters are a term. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u;
const RUNS =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]+|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])[\p{L}\p{N}\p{M}])+/gu;

function* termsIn(text: string): Iterable<string> {
  for (const [run] of foldForSearch(text).matchAll(RUNS)) {
    const characters = UNSPACED.test(run) ? [...run] : [];
    if (characters.length < 3) yield run;
    else for (let at = 1; at < characters.length; at++) yield `${characters[at - 1]}${characters[at]}`;
  }
}

/** Joins the terms of the texts, each once. A very long conversation keeps only its first terms. */
function joinTerms(terms: Set<string>): string {
  let joined = '';
  for (const term of terms) {
    if (joined.length + term.length >= MAX_WORDS_CHARACTERS) break;
    joined += `${term} `;
  }
  return joined;
}

/**
 * Stores a conversation's search terms after these messages were added. Without messages, those of all branches are
 * read.
 */
export async function saveSearchTerms(
  records: Records,
  conversation: Conversation,
  added: Message[] | undefined,
): Promise<void> {
  const { key } = conversation;
  const known = added && (await searchTerms.get(records, { key }));
  const texts = added ?? (await readAllMessages(records, conversation)).map(toMessage);
  const terms = new Set(known?.words.split(' ').filter((term) => term !== ''));
  for (const message of texts) for (const term of termsIn(textOf(message))) terms.add(term);
  await searchTerms.put(records, { key, words: joinTerms(terms) });
}

/** Returns the conversations that contain every word of the query, even within another word. */
export async function withMatchingTerms(
  records: Records,
  found: Conversation[],
  query: string,
): Promise<Conversation[]> {
  const wanted = [...new Set(termsIn(query))].slice(0, MAX_TERMS_OF_QUERY);
  if (wanted.length === 0 || found.length === 0) return [];
  const kept = await searchTerms.getMany(records, found);
  const wordsOf = new Map(kept.map(({ key, words }) => [key, words]));
  return found.filter(({ key, title }) => {
    const words = `${joinTerms(new Set(termsIn(title)))}${wordsOf.get(key) ?? ''}`;
    return wanted.every((term) => words.includes(term));
  });
}
