import type { LanguageModel, Usage } from '../ports/language-model.ts';
import type { SearchFilter } from '../retrieval/filter/filter-schema.ts';
import { fuse } from '../retrieval/rank/fuse.ts';
import { findTerm, termText } from '../retrieval/rank/match-terms.ts';
import { termsOf } from '../retrieval/rank/terms.ts';
import { type SearchPorts, type SearchResult, searchPassages } from '../retrieval/search.ts';
import { searchWorkspaces } from '../retrieval/search-workspaces.ts';
import type { ChatMessage } from './schema.ts';
import { makeWhole, turnsBefore } from './whole-question.ts';

/** In milliseconds. A question that isn't rewritten finds less, but a longer wait is worse. */
const WHOLE_DEADLINE_MS = 2500;
/** The maximum number of terms from the previous turn: from its question, and from the start of its answer. */
const MAX_TERMS_OF_TURN = 12;
const MAX_READ_OF_TURN = 400;

export interface FoundPassages extends SearchResult {
  question: string;
  /** The query that was searched for, if it differs from the question. */
  query?: string;
  /** Model usage for rewriting the question. */
  usage?: Usage;
}

export interface AskedConversation {
  workspaceId: string;
  /** All workspaces to search, if the question names a list. */
  several?: string[] | undefined;
  messages: ChatMessage[];
  /** The paths to search; absent for all files. */
  paths?: string[] | undefined;
  /** The facts of the files to search; absent for any. */
  filter?: SearchFilter | undefined;
  model: LanguageModel;
  signal: AbortSignal;
}

/**
 * Finds the passages for the last question of a conversation. A follow-up often means nothing alone ("and who
 * measured it?"), so the model completes it while its own words are searched for. If the model isn't in time,
 * the search also uses the words of the last turns. The first question needs neither.
 */
export async function findPassages(
  ports: SearchPorts,
  { workspaceId, several, messages, paths, filter, model, signal }: AskedConversation,
  deadlineMs = WHOLE_DEADLINE_MS,
): Promise<FoundPassages> {
  const question = messages.at(-1)?.text ?? '';
  const search = (text: string) =>
    several === undefined
      ? searchPassages(ports, workspaceId, text, { scope: { paths }, filter })
      : searchWorkspaces(ports, several, text, { filter });
  const plainly = search(question);
  if (turnsBefore(messages).length === 0) return { ...(await plainly), question };
  const [plain, { text, usage }] = await Promise.all([
    plainly,
    makeWhole(model, messages, { signal, deadlineMs }),
  ]);
  if (plain.mode === 'none' || text === question) return { ...plain, question, usage };
  const query = text ?? withEarlierTerms(messages, question);
  const found = await search(query);
  const best =
    text !== undefined && sharesTerm(text, question) ? found : { ...found, ...fuse([found, plain]) };
  return { ...best, question: text ?? question, query, usage };
}

/**
 * Returns whether a text shares a word with the question. A small model may answer the question instead of
 * rewriting it, so a text without any of the question's words is only an addition to it.
 */
function sharesTerm(text: string, question: string): boolean {
  const finders = termsOf(question).map(findTerm);
  return finders.length === 0 || finders.some((find) => find(termText(text)) >= 0);
}

/** Returns the question, extended with terms of the previous question and its answer. */
function withEarlierTerms(messages: ChatMessage[], question: string): string {
  const earlier = turnsBefore(messages)
    .slice(-2)
    .flatMap(({ text }) => termsOf(text.slice(0, MAX_READ_OF_TURN)).slice(0, MAX_TERMS_OF_TURN));
  return [question, ...new Set(earlier)].join(' ');
}
