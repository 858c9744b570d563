import type { Schemas } from '../../../lib/api-contract/schema.ts';

type Reason = NonNullable<Schemas['ListedFile']['reason']>;

const GROUPS = ['no_text', 'broken', 'other'] as const;
type Group = (typeof GROUPS)[number];

/** How many of the added files can be asked about, and why not the others: only groups with files. */
export interface Outcome {
  askable: number;
  others: { group: Group; count: number }[];
}

/** Of files that were added and indexed: `leftOut` are all files of the workspace that are not in the index. */
export function outcomeOf(
  paths: readonly string[],
  leftOut: readonly Pick<Schemas['ListedFile'], 'path' | 'reason'>[],
): Outcome {
  const reasons = new Map(leftOut.map(({ path, reason }) => [path, groupOf(reason)]));
  const groups = paths.map((path) => reasons.get(path) ?? aboveOf(path, reasons));
  const count = (wanted: Group | undefined) => groups.filter((group) => group === wanted).length;
  const others = GROUPS.map((group) => ({ group, count: count(group) }));
  return { askable: count(undefined), others: others.filter((each) => each.count > 0) };
}

function groupOf(reason: Reason | undefined): Group {
  return reason === 'no_text' || reason === 'broken' ? reason : 'other';
}

/** A skipped folder is listed without the files in it. */
function aboveOf(path: string, reasons: Map<string, Group>): Group | undefined {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
    if (reasons.has(path.slice(0, end))) return 'other';
  return undefined;
}
