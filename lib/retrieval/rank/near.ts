import type { Ranking } from './ranking.ts';

/** What files share with questions that they do not answer: one word of three, or less. */
const NEAR = 0.34;

/** Whether anything that was found can be what was asked for. */
export function isNear({ nearness }: Pick<Ranking, 'nearness'>): boolean {
  return nearness >= NEAR;
}
