import type { StreamPart } from '../api-contract/stream-part.ts';
import { errorText, requireRefusal } from '../known-error.ts';
import type { Passage } from '../ports/vectors.ts';
import { likelySources } from '../retrieval/cite/attribute.ts';
import { termsOf } from '../retrieval/rank/terms.ts';
import type { SearchResult } from '../retrieval/search.ts';
import { notice } from '../ui-messages/notice.ts';
import { type FoundPages, findPages, toWebQuery } from '../web-search/find-pages.ts';
import type { WebSearchPorts } from '../web-search/ports.ts';
import type { WebPage } from '../web-search/read-page.ts';
import { savePage } from '../web-search/save-page.ts';
import type { Workspace } from '../workspaces/schema.ts';
import type { ChatMessage } from './schema.ts';

/** The maximum number of terms from the person's previous question. */
const MAX_EARLIER_TERMS = 8;

/**
 * Returns the words that a search provider gets: those that the person wrote, in the question and, for a follow-up, in
 * the previous one. Never text of a model, which may repeat files, or instructions in them.
 */
function webWords(messages: ChatMessage[]): string {
  const asked = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
  const question = asked.at(-1) ?? '';
  const known = new Set(termsOf(question));
  const earlier = termsOf(asked.at(-2) ?? '').filter((term) => !known.has(term));
  return [question, ...new Set(earlier.slice(0, MAX_EARLIER_TERMS))].join(' ');
}

/**
 * Searches the web for a question, and adds the passages of the pages to those of files, in one order. If the search
 * fails, the answer is based on the files, with a notice.
 */
export async function searchWeb(
  ports: WebSearchPorts,
  messages: ChatMessage[],
  signal: AbortSignal,
): Promise<{ found?: FoundPages; notice: StreamPart }> {
  const { name } = ports.webSearch;
  const words = webWords(messages);
  if (toWebQuery(words) === '')
    return { notice: notice('web-search-failed', 'There are no words to search for.') };
  try {
    const found = await findPages(ports, words, { signal });
    return { found, notice: notice('web-searched', describeSearch(name, found)) };
  } catch (error) {
    signal.throwIfAborted();
    return { notice: notice('web-search-failed', errorText(requireRefusal(error))) };
  }
}

function describeSearch(name: string, { query, pages, failed }: FoundPages): string {
  const asked = `${name} was asked for ${JSON.stringify(query)}.`;
  const all = pages.length + failed.length;
  return all === 0 ? `${asked} It found no pages.` : `${asked} ${pages.length} of ${all} pages were read.`;
}

/** Adds the passages of pages to those of files. Both scores are the nearness to the question. */
export function withPages<Found extends SearchResult>(
  found: Found,
  { ranking }: FoundPages,
  workspaceId: string | undefined,
): Found {
  const passages = ranking.passages.map((passage) => ({ ...passage, ...(workspaceId && { workspaceId }) }));
  return {
    ...found,
    mode: found.mode === 'none' && passages.length > 0 ? 'lexical' : found.mode,
    nearness: Math.max(found.nearness, ranking.nearness),
    passages: [...found.passages, ...passages].sort((one, other) => other.score - one.score),
  };
}

interface AnswerText {
  text: string;
  used: Passage[];
  offered: Passage[];
}

/**
 * Saves the pages that an answer cites, or that sentences without a marker come from, so that their citations can be
 * checked like any other. Pages that nothing comes from aren't saved, and no longer count as offered. Returns a notice
 * about pages that couldn't be saved.
 */
export async function saveCitedPages<Answer extends AnswerText>(
  ports: WebSearchPorts,
  workspace: Workspace,
  pages: WebPage[],
  answer: Answer,
): Promise<Answer & { notice?: StreamPart }> {
  const likely = await likelySources(answer.text, answer.offered);
  const cited = new Set([...answer.used, ...likely].map(({ path }) => path));
  const places = new Map<string, string>();
  const reasons: string[] = [];
  for (const page of pages.filter(({ path }) => cited.has(path))) {
    try {
      places.set(page.path, await savePage(ports, workspace, page));
    } catch (error) {
      reasons.push(`${page.url}: ${requireRefusal(error).message}`);
    }
  }
  const isOfPage = new Set(pages.map(({ path }) => path));
  const moved = (passage: Passage) => ({ ...passage, path: places.get(passage.path) ?? passage.path });
  const isThere = ({ path }: Passage) => !isOfPage.has(path) || places.has(path);
  return {
    ...answer,
    used: answer.used.map(moved),
    offered: answer.offered.filter(isThere).map(moved),
    ...(reasons.length > 0 && { notice: notice('web-pages-not-saved', reasons.join('; ')) }),
  };
}
