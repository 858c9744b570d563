import { embeddedText } from '../../passages/embedded-text.ts';
import { type Clock, systemClock } from '../../ports/clock.ts';
import type { Reranker } from '../../ports/reranker.ts';
import { withCircuitBreaker } from '../circuit-breaker.ts';
import type { Ranking } from './ranking.ts';

/** How many of the best passages are reranked: more costs time and rarely helps. */
const READ = 30;
/** Gives up early: unranked passages beat a slow answer. */
const DEADLINE_MS = 1500;

/** Returns the best passages in the reranker's order, followed by the others; unchanged if no reranker answers. */
export async function rerank(
  { reranker, clock = systemClock }: { reranker?: Reranker | undefined; clock?: Clock },
  question: string,
  ranking: Ranking,
): Promise<Ranking> {
  const { passages } = ranking;
  if (reranker === undefined || passages.length === 0) return ranking;
  const texts = passages.slice(0, READ).map(embeddedText);
  const service = { name: `rerank ${reranker.model}`, clock, failure: 'the passages were not reranked' };
  const scores = await withCircuitBreaker(service, () =>
    reranker.rerank(question, texts, { signal: AbortSignal.timeout(DEADLINE_MS) }),
  );
  if (scores === undefined) return ranking;
  const read = texts.map((_, index) => ({
    ...(passages[index] as (typeof passages)[0]),
    score: scores[index] ?? 0,
  }));
  read.sort((a, b) => b.score - a.score);
  const least = read.at(-1)?.score ?? 0;
  const others = passages.slice(READ).map((passage) => ({ ...passage, score: least * passage.score }));
  return { nearness: read[0]?.score ?? 0, passages: [...read, ...others] };
}
