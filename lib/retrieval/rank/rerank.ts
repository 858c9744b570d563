import { log } from '../../log.ts';
import { embeddedText } from '../../passages/embedded-text.ts';
import { type Clock, systemClock } from '../../ports/clock.ts';
import type { Reranker } from '../../ports/reranker.ts';
import { askUnlessResting, refusesRequest } from '../resting.ts';
import type { Ranking } from './ranking.ts';

/** What is read beside the question, best first: more costs time and seldom brings anything up. */
const READ = 30;
/** The passages as they stand are better than an answer that waits. */
const DEADLINE_MS = 1500;

/** The best passages in the reranker's order, the others behind them; as they stand where there is none that answers. */
export async function rerank(
  { reranker, clock = systemClock }: { reranker?: Reranker | undefined; clock?: Clock },
  question: string,
  ranking: Ranking,
): Promise<Ranking> {
  const { passages } = ranking;
  if (reranker === undefined || passages.length === 0) return ranking;
  const texts = passages.slice(0, READ).map(embeddedText);
  const scores = await askUnlessResting(`rerank ${reranker.model}`, clock, () =>
    ask(reranker, question, texts),
  ).catch(noneIfRefused);
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

/** Undefined where it fails: that is logged, and it is left alone for a while. Throws where it refuses this question. */
async function ask(reranker: Reranker, question: string, texts: string[]): Promise<number[] | undefined> {
  try {
    return await reranker.rerank(question, texts, { signal: AbortSignal.timeout(DEADLINE_MS) });
  } catch (error) {
    if (refusesRequest(error)) throw error;
    log.warn('the passages were not reranked', { reason: (error as Error).message });
    return undefined;
  }
}

function noneIfRefused(error: unknown): undefined {
  if (!refusesRequest(error)) throw error;
  log.warn('the passages were not reranked', { reason: error.message });
}
