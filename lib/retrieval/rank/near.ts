import type { Ranking } from './ranking.ts';

/** Share of words that files have in common with questions that they don't answer: one of three, or less. */
const NEAR = 0.34;

/** Returns whether anything that was found can be the answer. */
export function isNear({ nearness }: Pick<Ranking, 'nearness'>): boolean {
  return nearness >= NEAR;
}
