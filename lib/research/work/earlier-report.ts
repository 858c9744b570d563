import { findCopies } from '../../indexing/find-copies.ts';
import type { Records } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { findExactQuote } from '../../retrieval/cite/locate.ts';
import type { SourcePorts } from '../../retrieval/cite/sources.ts';
import { readQuotable } from '../../retrieval/cite/sources.ts';
import { framesSoFar } from '../../run-events/follow-frames.ts';
import { steps, stepsOf } from '../../runs/steps/step-records.ts';
import { openSteps } from '../../runs/steps/stored-steps.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { hashesOf, readExtracts } from '../extracts/read-extracts.ts';
import { foldFrames } from '../fold-frames.ts';
import type { Evidence, ResearchPlan } from '../schema.ts';
import { placeInSource } from './place-in-source.ts';

/** The parts of a previous report that its continuation uses. */
export interface Earlier {
  plan: ResearchPlan;
  /** The evidence whose quotes still appear in their sources. */
  evidence: Evidence[];
  /** The evidence whose quotes no longer appear in their sources. */
  gone: Evidence[];
  /** The highest number in an evidence ID. */
  lastNumber: number;
  /** True if the report wasn't cut short by a budget. */
  isWhole: boolean;
  /** Returns the result of one of the report's steps. */
  step(name: string, input: unknown): unknown;
  /** Passages that were read for the report, as `path hash place`. */
  read: Set<string>;
  /** Previous paths of files that were moved since. */
  movedFrom: Map<string, string>;
}

export async function readEarlier(
  ports: SourcePorts & TimedRecords,
  workspace: Workspace,
  previousRunId: string,
): Promise<Earlier> {
  const { plan, evidence, finished } = foldFrames(await framesSoFar(ports.records, previousRunId));
  const { find } = await openSteps(ports, previousRunId);
  const hashes = hashesOf({ evidence }, await readExtracts(ports.records, previousRunId));
  const movedTo = await findMovedFiles(ports, workspace, hashes);
  const now = await Promise.all(
    evidence.map((each) =>
      findAgain(ports, workspace, { ...each, path: movedTo.get(each.path) ?? each.path }),
    ),
  );
  return {
    plan: plan ?? { questions: [] },
    evidence: now.filter((each) => each !== undefined),
    gone: evidence.filter((_, at) => now[at] === undefined),
    lastNumber: Math.max(0, ...evidence.map(({ id }) => Number(id.slice(1)))),
    isWhole: finished?.ended === null,
    step: find,
    read: await readPassages(ports.records, previousRunId),
    movedFrom: new Map([...movedTo].map(([from, to]) => [to, from])),
  };
}

/** Returns the evidence with the current location of its quote nearest to the earlier one. */
async function findAgain(
  ports: SourcePorts,
  workspace: Workspace,
  evidence: Evidence,
): Promise<Evidence | undefined> {
  const { path, quote, startLine } = evidence;
  const source = await readQuotable(ports, workspace, path);
  const place = source && findExactQuote(source, quote, startLine);
  return place && { ...evidence, ...placeInSource(source, place) };
}

/** Returns the new paths of cited files that were moved, found by another file with the same bytes. */
async function findMovedFiles(
  ports: SourcePorts,
  workspace: Workspace,
  hashes: Map<string, string>,
): Promise<Map<string, string>> {
  const moved = new Map<string, string>();
  for (const [path, hash] of hashes) {
    if ((await readQuotable(ports, workspace, path)) !== undefined) continue;
    const [copy] = await findCopies(ports.records, workspace.id, { path, hash, since: 0 });
    if (copy !== undefined) moved.set(path, copy);
  }
  return moved;
}

/** The name of the step that records the passages read by a run. */
export const READ_STEP = 'passages';

async function readPassages(records: Records, runId: string): Promise<Set<string>> {
  const read = new Set<string>();
  for await (const { name, value } of steps.all(records, stepsOf(runId)))
    if (name === READ_STEP) for (const key of JSON.parse(value) as string[]) read.add(key);
  return read;
}
