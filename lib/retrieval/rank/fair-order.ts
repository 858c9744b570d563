import type { ScoredPassage } from '../../ports/vectors.ts';

/**
 * The value of the next passage of a workspace relative to the previous one. It lets the best passages of a
 * small workspace compete with hundreds of good ones of another.
 */
const NEXT_OF_WORKSPACE = 0.9;

/** A passage, and its value after the better ones of its workspace. */
interface Placed {
  passage: ScoredPassage;
  worth: number;
}

/** Orders the passages of several workspaces. Those of each workspace keep their order, best first. */
export function orderFairly(passages: ScoredPassage[]): Placed[] {
  const counts = new Map<string | undefined, number>();
  const placed = passages.map((passage) => {
    const count = counts.get(passage.workspaceId) ?? 0;
    counts.set(passage.workspaceId, count + 1);
    return { passage, worth: passage.score * NEXT_OF_WORKSPACE ** count };
  });
  return placed.sort((one, other) => other.worth - one.worth);
}
