import { fileKey } from '../../api-contract/report-places.ts';
import { findCopies } from '../../indexing/find-copies.ts';
import type { Records } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { findExactQuote } from '../../retrieval/cite/locate.ts';
import type { SourcePorts } from '../../retrieval/cite/sources.ts';
import { framesSoFar } from '../../run-events/follow-frames.ts';
import { steps, stepsOf } from '../../runs/steps/step-records.ts';
import { openSteps } from '../../runs/steps/stored-steps.ts';
import { hashesOf, readExtracts } from '../extracts/read-extracts.ts';
import { foldFrames } from '../fold-frames.ts';
import type { Evidence, ResearchPlan } from '../schema.ts';
import { placeInSource } from './place-in-source.ts';
import { type Places, readStudied, workspaceOf } from './source-files.ts';

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
  /** Previous paths of files that were moved since, by their `fileKey()` now. */
  movedFrom: Map<string, string>;
}

type EarlierPlaces = Places & { ports: SourcePorts & TimedRecords };

export async function readEarlier(places: EarlierPlaces, previousRunId: string): Promise<Earlier> {
  const { ports } = places;
  const { plan, evidence, finished } = foldFrames(await framesSoFar(ports.records, previousRunId));
  const { find } = await openSteps(ports, previousRunId);
  const hashes = hashesOf({ evidence }, await readExtracts(ports.records, previousRunId));
  const movedTo = await findMovedFiles(places, evidence, hashes);
  const pathNow = (each: Evidence) => movedTo.get(fileKey(each)) ?? each.path;
  const placed = evidence.map((each) => ({ ...each, path: pathNow(each) }));
  const now = await Promise.all(placed.map((each) => findAgain(places, each)));
  return {
    plan: plan ?? { questions: [] },
    evidence: now.filter((each) => each !== undefined),
    gone: evidence.filter((_, at) => now[at] === undefined),
    lastNumber: Math.max(0, ...evidence.map(({ id }) => Number(id.slice(1)))),
    isWhole: finished?.ended === null,
    step: find,
    read: await readPassages(ports.records, previousRunId),
    movedFrom: new Map(
      evidence.flatMap((each, at) =>
        movedTo.has(fileKey(each)) ? [[fileKey(placed[at] as Evidence), each.path]] : [],
      ),
    ),
  };
}

/** Returns the evidence with the current location of its quote nearest to the earlier one. */
async function findAgain(places: EarlierPlaces, evidence: Evidence): Promise<Evidence | undefined> {
  const { quote, startLine } = evidence;
  const source = await readStudied(places, evidence);
  const place = source && findExactQuote(source, quote, startLine);
  return place && { ...evidence, ...placeInSource(source, place) };
}

/** Returns the new paths of cited files that were moved, found by another file of their workspace with the same bytes. */
async function findMovedFiles(
  places: EarlierPlaces,
  evidence: Evidence[],
  hashes: Map<string, string>,
): Promise<Map<string, string>> {
  const moved = new Map<string, string>();
  for (const [key, file] of new Map(evidence.map((each) => [fileKey(each), each]))) {
    const [hash, workspace] = [hashes.get(key), workspaceOf(places, file)];
    if (hash === undefined || workspace === undefined) continue;
    if ((await readStudied(places, file)) !== undefined) continue;
    const gone = { path: file.path, hash, since: 0 };
    const [copy] = await findCopies(places.ports.records, workspace.id, gone);
    if (copy !== undefined) moved.set(key, copy);
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
