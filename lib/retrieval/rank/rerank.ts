import { withCircuitBreaker } from '../../async/circuit-breaker.ts';
import { embeddedText } from '../../passages/embedded-text.ts';
import { type Clock, systemClock } from '../../ports/clock.ts';
import type { Reranker } from '../../ports/reranker.ts';
import type { ScoredPassage } from '../../ports/vectors.ts';
import type { Ranking } from './ranking.ts';

/** The number of best passages to rerank. Reranking more would cost time and rarely help. */
export const MOST_RERANKED = 30;
/** The time limit in milliseconds. A fast answer with unranked passages is better than a slow one. */
const DEADLINE_MS = 1500;

/**
 * Returns the scoring time for a model on this host, in milliseconds. The model stops itself, and its scores
 * so far count.
 */
export function scoringTime(deadlineMs = DEADLINE_MS): number {
  return Math.floor((deadlineMs * 2) / 3);
}

/**
 * Returns the best passages in the reranker's order, followed by the others. The order is unchanged if the
 * reranker fails.
 */
export async function rerank(
  { reranker, clock = systemClock }: { reranker?: Reranker | undefined; clock?: Clock },
  question: string,
  ranking: Ranking,
  deadlineMs = DEADLINE_MS,
): Promise<Ranking> {
  const { passages } = ranking;
  if (reranker === undefined || passages.length === 0) return ranking;
  const texts = passages.slice(0, MOST_RERANKED).map(embeddedText);
  const service = { name: `rerank ${reranker.model}`, clock, failure: 'the passages were not reranked' };
  const withinMs = scoringTime(deadlineMs);
  const scores = await withCircuitBreaker(service, () =>
    reranker.rerank(question, texts, { signal: AbortSignal.timeout(deadlineMs), withinMs }),
  );
  return scores === undefined ? ranking : reorder(ranking, scores);
}

/** Passages without a score keep their order after the others. */
function reorder(ranking: Ranking, scores: (number | undefined)[]): Ranking {
  const read: ScoredPassage[] = [];
  const others: ScoredPassage[] = [];
  ranking.passages.forEach((passage, index) => {
    const score = scores[index];
    if (score === undefined) others.push(passage);
    else read.push({ ...passage, score });
  });
  read.sort((a, b) => b.score - a.score);
  const least = read.at(-1);
  if (least === undefined) return ranking;
  const below = others.map((passage) => ({ ...passage, score: least.score * passage.score }));
  // Each model has a scale of its own, so its scores don't show whether any passage is near.
  return { nearness: ranking.nearness, passages: [...read, ...below] };
}
