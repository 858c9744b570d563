import type { Ranking } from './ranking.ts';

/** The share of words that files have in common with unrelated questions is one in three, or less. */
const NEAR = 0.34;

/** Returns whether any result can be the answer. */
export function isNear({ nearness }: Pick<Ranking, 'nearness'>): boolean {
  return nearness >= NEAR;
}
