import { newId } from '../identifiers.ts';
import { log } from '../log.ts';
import { type Clock, timestamp } from '../ports/clock.ts';
import type { Queue } from '../ports/queue.ts';
import type { Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import type { IndexMessage } from './messages.ts';
import { isRunning, MAX_ERRORS, type Sync, syncs } from './schema.ts';

/** Without a sign of life for this long a sync is taken for dead: twice what a message may stay hidden after a crash. */
const STALLED_MS = 60 * 60 * 1000;
/** A sync that has no plan after this long gets its scan sent again by whoever asks for one. */
const UNPLANNED_MS = 30_000;

export interface SyncPorts {
  records: Records;
  indexQueue: Queue;
  clock: Clock;
  /** The space that the configured embedder fills. */
  space: string;
}

type FailPorts = TimedRecords;

/** Starts a sync of the workspace, or joins the one that runs; answers its id. */
export async function startSync(ports: SyncPorts, workspaceId: string): Promise<string> {
  const { records, indexQueue, clock } = ports;
  const current = await syncs.get(records, { workspaceId });
  if (current !== undefined && isAlive(current, clock)) return joinSync(ports, current);
  const sync = newSync(ports, workspaceId);
  const stored =
    current === undefined
      ? await syncs.create(records, sync)
      : await syncs.put(records, sync, { syncId: current.syncId, status: current.status });
  if (!stored) return startSync(ports, workspaceId);
  await sendScan(indexQueue, sync);
  return sync.syncId;
}

async function sendScan(indexQueue: Queue, { workspaceId, syncId }: Sync): Promise<void> {
  const body: IndexMessage = { kind: 'scan', workspaceId, syncId };
  await indexQueue.send([{ body }]);
}

/** Whoever started it may have died before the scan was sent. A second scan does no harm: the latest plan counts. */
async function joinSync({ records, indexQueue, clock }: SyncPorts, sync: Sync): Promise<string> {
  const { syncId, planId, heartbeatAt } = sync;
  if (planId === null && clock.now() - Date.parse(heartbeatAt) > UNPLANNED_MS) {
    const beating = { ...sync, heartbeatAt: timestamp(clock) };
    if (await syncs.put(records, beating, { syncId, planId, heartbeatAt })) await sendScan(indexQueue, sync);
  }
  return syncId;
}

function isAlive(sync: Sync, clock: Clock): boolean {
  return isRunning(sync.status) && clock.now() - Date.parse(sync.heartbeatAt) < STALLED_MS;
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
  };
}

/** Ends a sync with the reason, unless another took its place meanwhile. */
export async function failSync({ records, clock }: FailPorts, sync: Sync, reason: string): Promise<void> {
  const errors = [{ path: '', error: reason }, ...sync.errors].slice(0, MAX_ERRORS);
  const failed: Sync = { ...sync, status: 'failed', finishedAt: timestamp(clock), errors };
  const marked = await syncs.put(records, failed, { syncId: sync.syncId, heartbeatAt: sync.heartbeatAt });
  if (marked) log.warn('a sync failed', { workspaceId: sync.workspaceId, reason });
}

/** Marks syncs that show no sign of life as failed, so that nobody waits for them; the next sync does their work. */
export async function failStalledSyncs(ports: FailPorts): Promise<void> {
  const running = { partition: 'SYNC_RUNNING', byIndex: true, limit: 100 };
  for await (const sync of syncs.all(ports.records, running)) {
    try {
      if (!isAlive(sync, ports.clock)) await failSync(ports, sync, 'no sign of life for an hour');
    } catch (error) {
      log.error('a sync could not be ended', { workspaceId: sync.workspaceId }, error);
    }
  }
}
