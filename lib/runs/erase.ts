import * as z from 'zod';
import { activitiesPartition } from '../activity/schema.ts';
import { type CallPorts, callWorkers } from '../leases/due.ts';
import { log } from '../log.ts';
import { type Clock, expiryAfter, timestamp, timestampSchema } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import { collection } from '../records/collection.ts';
import { dropPartition } from '../records/drop-partition.ts';
import { framesPartition } from '../run-events/schema.ts';
import { workspaces } from '../workspaces/schema.ts';
import type { RunPorts } from './ports.ts';
import {
  isRunOver,
  KEEP_RUN_SECONDS,
  RUN_SORT,
  type Run,
  runMarks,
  runMarksPartition,
  runPartition,
  runs,
  runsPartition,
} from './schema.ts';
import { dropAnswers } from './steps/step-records.ts';
import { stopRun } from './stop.ts';

const ERASURES = 'RUN_ERASURES';
/**
 * The time limit of one pass in milliseconds, because a worker has other messages too. The next pass
 * continues where it ended.
 */
const PASS_MS = 30_000;
/** Milliseconds until the next pass: longer than a pass takes, and longer than a stopped run needs to end. */
const AGAIN_MS = 2 * 60_000;
/**
 * Milliseconds after the first pass in which a run may still start, because its request found the workspace
 * just before the deletion.
 */
const LATE_MS = 10 * 60_000;

/** A deleted workspace whose runs are being erased. Expires when the newest of the runs would. */
export const runErasures = collection({
  kind: 'run-erasure',
  schema: z.object({
    workspaceId: z.string(),
    askedAt: timestampSchema,
    /** When the next pass starts. */
    until: timestampSchema,
    expiresAt: z.int(),
  }),
  key: ({ workspaceId }: { workspaceId: string }) => ({ partition: ERASURES, sort: workspaceId }),
  index: ({ workspaceId, until }) => ({ partition: ERASURES, sort: `${until}#${workspaceId}` }),
  expiresAt: ({ expiresAt }) => expiresAt,
});

/**
 * Requests that a workspace's runs are erased once it is deleted. There may be thousands, which take longer
 * than a request may, and some may be active.
 */
export function dropRuns(clock: Clock): (records: Records, workspaceId: string) => Promise<void> {
  return async (records, workspaceId) => {
    const now = timestamp(clock);
    const expiresAt = expiryAfter(clock, KEEP_RUN_SECONDS);
    await runErasures.put(records, { workspaceId, askedAt: now, until: now, expiresAt });
  };
}

/**
 * Runs every minute: calls a worker to erase the runs of deleted workspaces, because only workers can access
 * the objects.
 */
export function sweepErasures(ports: CallPorts): Promise<void> {
  return callWorkers(ports, {
    collection: runErasures,
    partition: ERASURES,
    againMs: AGAIN_MS,
    messageOf: ({ workspaceId }) => ({ runId: '', runsOf: workspaceId }),
    failure: 'the runs of a deleted workspace could not be swept',
    about: ({ workspaceId }) => ({ workspaceId }),
  });
}

interface ErasePorts extends RunPorts {
  /** Removes the data that a suspended run left for its next worker. Idempotent. */
  forget(runId: string): Promise<void>;
}

/**
 * Erases runs of a deleted workspace with their steps and events, in one pass. The request stays until a pass
 * finds no run, so if a pass is interrupted at any point, the next one does the rest. If the deletion was
 * interrupted before the workspace was deleted, erases nothing.
 */
export async function eraseRuns(ports: ErasePorts, workspaceId: string): Promise<void> {
  const { records, clock } = ports;
  const erasure = await runErasures.get(records, { workspaceId });
  if (erasure === undefined || (await workspaces.get(records, { id: workspaceId })) !== undefined) return;
  if ((await eraseSome(ports, workspaceId)) > 0) return;
  await dropAnswers(records, workspaceId);
  // Activities of runs that ended after the workspace was deleted.
  await dropPartition(records, activitiesPartition(workspaceId));
  if (erasure.askedAt < timestamp(clock, -LATE_MS)) await runErasures.delete(records, erasure);
}

/** Returns the number of runs that it found. */
async function eraseSome(ports: ErasePorts, workspaceId: string): Promise<number> {
  const until = performance.now() + PASS_MS;
  let found = 0;
  for await (const id of runsAbout(ports.records, workspaceId)) {
    found += 1;
    await eraseRun(ports, workspaceId, id).catch((error: unknown) => {
      log.error('a run could not be erased', { runId: id }, error);
    });
    if (performance.now() > until) break;
  }
  return found;
}

/** Yields the runs of a workspace, then those of other workspaces that are also about it. */
async function* runsAbout(records: Records, workspaceId: string): AsyncGenerator<string> {
  const own = { partition: runsPartition(workspaceId), byIndex: true, limit: 100 };
  for await (const { id } of runs.all(records, own)) yield id;
  const also = { partition: runMarksPartition(workspaceId), limit: 100 };
  for await (const { runId } of runMarks.all(records, also)) yield runId;
}

/**
 * Erases a run. An active run is stopped first: its worker ends it within a second, and the next pass erases
 * it.
 */
async function eraseRun(ports: ErasePorts, workspaceId: string, id: string): Promise<void> {
  const { records } = ports;
  const run = await runs.get(records, { id });
  if (run !== undefined && !(await isEnded(ports, run))) return;
  await ports.forget(id);
  await dropPartition(records, framesPartition(id));
  // The run comes after its data, and its marks last, so that the next pass finds it if this is interrupted.
  await dropPartition(records, runPartition(id), RUN_SORT);
  const marked = [workspaceId, ...(run?.workspaceIds ?? [])];
  await runMarks.deleteMany(
    records,
    marked.map((each) => ({ workspaceId: each, runId: id })),
  );
}

async function isEnded(ports: ErasePorts, run: Run): Promise<boolean> {
  return isRunOver(run.status) || isRunOver((await stopRun(ports, run)).status);
}
