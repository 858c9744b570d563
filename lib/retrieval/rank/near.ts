import type { Ranking } from './ranking.ts';

/** The minimum nearness. Files share at most one in three words with unrelated questions. */
export const LEAST_NEARNESS = 0.34;

/** Returns whether any result can be the answer. */
export function isNear({ nearness }: Pick<Ranking, 'nearness'>): boolean {
  return nearness >= LEAST_NEARNESS;
}
