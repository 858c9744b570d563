import type { Schemas } from '../../../lib/api-contract/schema.ts';

/** The same groups as on the index page, so that both show the same numbers. */
const GROUPS = ['skipped', 'unreadable'] as const;
type Group = (typeof GROUPS)[number];

/**
 * How many of the added files can be asked about, and why the others can't. Contains only groups that have
 * files.
 */
export interface Outcome {
  askable: number;
  others: { group: Group; count: number }[];
}

/**
 * Returns the outcome for files that were added and indexed. `leftOut` are all files of the workspace that aren't in
 * the index.
 */
export function outcomeOf(
  paths: readonly string[],
  leftOut: readonly Pick<Schemas['ListedFile'], 'path' | 'state'>[],
): Outcome {
  const groupAt = new Map(leftOut.map(({ path, state }) => [path, groupOf(state)]));
  const groups = paths.map((path) => groupAt.get(path) ?? aboveOf(path, groupAt));
  const count = (wanted: Group | undefined) => groups.filter((group) => group === wanted).length;
  const others = GROUPS.map((group) => ({ group, count: count(group) }));
  return { askable: count(undefined), others: others.filter((each) => each.count > 0) };
}

function groupOf(state: Schemas['ListedFile']['state']): Group {
  return state === 'failed' ? 'unreadable' : 'skipped';
}

/**
 * Returns the group of a folder above a path, because the list contains a skipped folder without its files.
 */
function aboveOf(path: string, groups: Map<string, Group>): Group | undefined {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
    if (groups.has(path.slice(0, end))) return 'skipped';
  return undefined;
}
