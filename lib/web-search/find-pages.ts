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

export interface FoundPages {
  /** The words that the provider got. */
  query: string;
  pages: WebPage[];
  failed: (WebResult & { reason: string })[];
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
  const pages = new Map<string, WebPage>();
  const failed: FoundPages['failed'] = [];
  await forEachConcurrent(results, MAX_PAGES, async (result) => {
    try {
      const page = await readWebPage(ports, result, AbortSignal.any([signal, late]));
      pages.set(page.path, page);
    } catch (error) {
      signal.throwIfAborted();
      const reason = late.aborted ? 'It was not read in time.' : requireRefusal(error).message;
      failed.push({ ...result, reason });
    }
  });
  const read = [...pages.values()];
  return { query, pages: read, failed, ranking: rankPages(query, read) };
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
