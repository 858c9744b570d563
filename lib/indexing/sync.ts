import { newId } from '../identifiers.ts';
import { embeddingSpaceOf } from '../passages/embedding-space.ts';
import { readFilledSpace } from '../passages/search-space.ts';
import { type Clock, timestamp } from '../ports/clock.ts';
import type { Queue } from '../ports/queue.ts';
import type { Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { report } from '../telemetry/events.ts';
import { announceEvent } from '../webhooks/announce.ts';
import { sendIndex } from './enqueue.ts';
import { isAlive } from './is-alive.ts';
import type { IndexMessage } from './messages.ts';
import type { IndexPorts } from './ports.ts';
import { completeAsOf, MAX_ERRORS, type Sync, syncs } from './schema.ts';
import { MAX_WAITING_FILES } from './waiting-files.ts';

/** In milliseconds. If a sync still has no plan after this time, the next request sends its scan again. */
const UNPLANNED_MS = 30_000;

export interface SyncPorts {
  records: Records;
  indexQueue: Queue;
  clock: Clock;
  /** The space that the configured embedder fills. */
  space: string;
}

type FailPorts = TimedRecords;

/**
 * Starts a sync of the workspace, or joins the one that is running. Returns its ID. `checksModel` means that
 * a person requested it.
 */
export async function startSync(
  ports: SyncPorts,
  workspaceId: string,
  options: { checksModel?: boolean } = {},
): Promise<string> {
  const { records, indexQueue, clock } = ports;
  const current = await syncs.get(records, { workspaceId });
  if (current !== undefined && isAlive(current, clock)) return joinSync(ports, current);
  if (current?.untold) await announceFailure(ports, current);
  const space = await readFilledSpace(records, workspaceId, ports.space);
  const sync = {
    ...newSync({ clock, space }, workspaceId),
    readAsOf: current === undefined ? null : completeAsOf(current),
  };
  const stored =
    current === undefined
      ? await syncs.create(records, sync)
      : await syncs.put(records, sync, { syncId: current.syncId, status: current.status });
  if (!stored) return startSync(ports, workspaceId, options);
  await sendScan(indexQueue, sync, options);
  return sync.syncId;
}

type LeavePorts = Pick<IndexPorts, 'records' | 'indexQueue' | 'clock' | 'embedder'>;

/**
 * Starts a sync instead of many touches, so that its progress is visible, because not all files can be marked
 * as waiting. `later` means that another sync is running; this one waits for its end, because its scan may
 * already be over.
 */
export async function leaveToSync(
  ports: LeavePorts,
  workspaceId: string,
  changes: number,
): Promise<'few' | 'started' | 'later'> {
  if (changes <= MAX_WAITING_FILES) return 'few';
  const current = await syncs.get(ports.records, { workspaceId });
  if (current !== undefined && isAlive(current, ports.clock)) return 'later';
  await startSync({ ...ports, space: embeddingSpaceOf(ports.embedder) }, workspaceId);
  return 'started';
}

async function sendScan(
  indexQueue: Queue,
  { workspaceId, syncId }: Sync,
  options: { checksModel?: boolean } = {},
): Promise<void> {
  const body: IndexMessage = { kind: 'scan', workspaceId, syncId, ...options };
  await sendIndex(indexQueue, workspaceId, [body]);
}

/**
 * The process that started the sync may have died before it sent the scan. A second scan does no harm,
 * because the latest plan counts.
 */
async function joinSync({ records, indexQueue, clock }: SyncPorts, sync: Sync): Promise<string> {
  const { syncId, planId, heartbeatAt } = sync;
  if (planId === null && clock.now() - Date.parse(heartbeatAt) > UNPLANNED_MS) {
    const beating = { ...sync, heartbeatAt: timestamp(clock) };
    if (await syncs.put(records, beating, { syncId, planId, heartbeatAt })) await sendScan(indexQueue, sync);
  }
  return syncId;
}

export function newSync({ clock, space }: Pick<SyncPorts, 'clock' | 'space'>, workspaceId: string): Sync {
  const now = timestamp(clock);
  return {
    workspaceId,
    syncId: newId(),
    status: 'scanning',
    space,
    planId: null,
    batches: 0,
    doneBatches: [],
    splitBatches: [],
    total: 0,
    newCount: 0,
    updatedCount: 0,
    unchangedCount: 0,
    removedCount: 0,
    failedCount: 0,
    textsEmbedded: 0,
    textsUnderWay: [],
    skippedCount: 0,
    lackingCount: 0,
    errors: [],
    startedAt: now,
    finishedAt: null,
    heartbeatAt: now,
    probe: null,
    readAsOf: null,
  };
}

/** Ends a sync with the reason, unless another sync has replaced it in the meantime. */
export async function failSync({ records, clock }: FailPorts, sync: Sync, reason: string): Promise<void> {
  const errors = [{ path: '', error: reason }, ...sync.errors].slice(0, MAX_ERRORS);
  const finishedAt = timestamp(clock);
  const failed: Sync = { ...sync, status: 'failed', finishedAt, errors, untold: true };
  const { workspaceId, syncId, heartbeatAt } = sync;
  if (!(await syncs.put(records, failed, { syncId, heartbeatAt }))) return;
  report('sync_failed', 'a sync failed', { workspaceId, reason });
  await announceFailure({ records, clock }, failed);
}

/** Tells webhooks that a sync failed. Idempotent; repeated by the scheduler tick until it has succeeded. */
export async function announceFailure(ports: TimedRecords, failed: Sync): Promise<void> {
  const { workspaceId, syncId, finishedAt, startedAt } = failed;
  const at = Date.parse(finishedAt ?? startedAt);
  const data = { workspaceId, syncId, path: `/w/${workspaceId}` };
  if (!(await announceEvent(ports, { type: 'sync.failed', name: syncId, at, data }))) return;
  const { untold: _, ...told } = failed;
  await syncs.put(ports.records, told, { syncId, status: 'failed' });
}
