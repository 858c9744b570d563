import { forEachConcurrent } from '../async/for-each-concurrent.ts';
import { requireRefusal } from '../known-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { Passage, ScoredPassage } from '../ports/vectors.ts';
import type { Web } from '../ports/web.ts';
import type { WebResult, WebSearch } from '../ports/web-search.ts';
import { findTerm, termText } from '../retrieval/rank/match-terms.ts';
import { identifiersOf } from '../retrieval/rank/names.ts';
import { rankByWords } from '../retrieval/rank/rank-words.ts';
import type { Ranking } from '../retrieval/rank/ranking.ts';
import { termsOf } from '../retrieval/rank/terms.ts';
import { beginning } from '../text/cut-text.ts';
import { readWebPage, type WebPage } from './read-page.ts';
import { tidyResults } from './tidy-results.ts';

/** The maximum number of pages that are read for a query. */
export const MAX_PAGES = 5;
/** More results than pages, because some can't be read. */
const MAX_RESULTS = 10;
/** Milliseconds for reading all pages. Later ones are left out. */
const READ_MS = 12_000;
/** The limits of Brave for a query. */
const MAX_QUERY = 400;
const MAX_WORDS = 50;

/** A page that could not be read, with the reason. */
interface FailedPage extends WebResult {
  reason: string;
}

/** Pages and failures in the order in which the provider returned them. */
export interface FoundPages {
  /** The words that the provider got. */
  query: string;
  pages: WebPage[];
  failed: FailedPage[];
  /** The passages that have words of the query, the best first. */
  ranking: Ranking;
}

/** Searches the web, and reads the best pages. Throws as WebSearch does; a page that fails is listed. */
export async function findPages(
  ports: { webSearch: WebSearch; web: Web; clock: Clock },
  words: string,
  { limit = MAX_PAGES, signal }: { limit?: number; signal: AbortSignal },
): Promise<FoundPages> {
  const query = toWebQuery(words);
  const found = await ports.webSearch.search(query, { limit: MAX_RESULTS, signal });
  const results = tidyResults(found, limit);
  const late = AbortSignal.timeout(READ_MS);
  const read: (WebPage | FailedPage)[] = [];
  await forEachConcurrent(results.entries(), MAX_PAGES, async ([at, result]) => {
    try {
      read[at] = await readWebPage(ports, result, AbortSignal.any([signal, late]));
    } catch (error) {
      signal.throwIfAborted();
      const reason = late.aborted ? 'It was not read in time.' : requireRefusal(error).message;
      read[at] = { ...result, reason };
    }
  });
  const failed = read.filter((each) => 'reason' in each);
  const all = read.filter((each) => 'path' in each);
  const pages = [...new Map(all.map((page) => [page.path, page])).values()];
  return { query, pages, failed, ranking: rankPages(query, pages) };
}

/** Returns the words as one line within the limits of all providers. */
export function toWebQuery(words: string): string {
  const all = words.toWellFormed().split(/\s+/u).filter(Boolean);
  return beginning(all.slice(0, MAX_WORDS).join(' '), MAX_QUERY);
}

/** Ranks passages like a keyword search of the index, where a rare word counts more than a common one. */
function rankPages(query: string, pages: WebPage[]): Ranking {
  const terms = termsOf(query);
  const passages = pages.flatMap((page) => page.passages);
  const scores = scoresOf(terms, passages);
  const scored = passages.map((passage, at): ScoredPassage => ({ ...passage, score: scores[at] ?? 0 }));
  const sharing = scored.filter(({ score }) => score > 0);
  return rankByWords(terms, sharing, identifiersOf(query));
}

function scoresOf(terms: string[], passages: Passage[]): number[] {
  const texts = passages.map(({ context, text }) => termText(`${context}\n${text}`));
  const scores = texts.map(() => 0);
  for (const find of terms.map(findTerm)) {
    const having = texts.flatMap((text, at) => (find(text) >= 0 ? [at] : []));
    const weight = Math.log(1 + texts.length / Math.max(1, having.length));
    for (const at of having) scores[at] = (scores[at] ?? 0) + weight;
  }
  return scores;
}
