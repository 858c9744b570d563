import { type Due, duePages, forEachDue } from '../leases/due.ts';
import { timestamp } from '../ports/clock.ts';
import type { Queue } from '../ports/queue.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { sendIndex } from './enqueue.ts';
import { isAlive, PROBE_AFTER_MS, probeOf } from './is-alive.ts';
import { isRunning, type Sync, syncs } from './schema.ts';
import { announceFailure, failSync } from './sync.ts';

/** Milliseconds until another probe is sent. */
const PROBE_AGAIN_MS = 60 * 60_000;

const RUNNING = { partition: 'SYNC_RUNNING' };

export interface StalledSyncPorts extends TimedRecords {
  indexQueue: Queue;
}

/**
 * For the scheduler tick: marks dead syncs as failed, so that nothing waits for them, and tells webhooks of failures
 * whose process died before it did. The next sync does their work. Silence alone doesn't mean that a sync is dead, because messages may wait behind an import for
 * hours. So a silent sync gets a probe behind its own messages, and counts as dead if it is still silent
 * after the probe comes through.
 */
export async function failStalledSyncs(ports: StalledSyncPorts): Promise<void> {
  const running: Due<Sync, { workspaceId: string }> = {
    collection: syncs,
    query: RUNNING,
    isDue: () => true,
    failure: 'a sync could not be looked after',
    about: ({ workspaceId }) => ({ workspaceId }),
  };
  await forEachDue(ports.records, running, (sync) => watchSync(ports, sync));
}

/** Returns for how many seconds each running sync has made no progress, for metrics. */
export async function silentSyncs({ records, clock }: TimedRecords): Promise<number[]> {
  const found = await Array.fromAsync(duePages(records, syncs, RUNNING));
  const running = found.flat().filter(({ status }) => isRunning(status));
  return running.map(({ heartbeatAt }) => (clock.now() - Date.parse(heartbeatAt)) / 1000);
}

async function watchSync(ports: StalledSyncPorts, sync: Sync): Promise<void> {
  if (!isRunning(sync.status)) await announceFailure(ports, sync);
  else if (!isAlive(sync, ports.clock))
    await failSync(ports, sync, 'The sync made no progress for an hour. Start it again.');
  else if (isSilent(sync, ports)) await sendProbe(ports, sync);
}

/** An earlier probe may have been lost, so any probe that comes through is enough. */
function isSilent(sync: Sync, { clock }: StalledSyncPorts): boolean {
  const probe = probeOf(sync);
  if (probe === undefined) return clock.now() - Date.parse(sync.heartbeatAt) >= PROBE_AFTER_MS;
  return probe.returnedAt === null && clock.now() - Date.parse(probe.sentAt) >= PROBE_AGAIN_MS;
}

async function sendProbe({ records, clock, indexQueue }: StalledSyncPorts, sync: Sync): Promise<void> {
  const { workspaceId, syncId, heartbeatAt } = sync;
  const sentAt = timestamp(clock);
  const probed = { ...sync, probe: { sentAt, returnedAt: null } };
  if (await syncs.put(records, probed, { syncId, heartbeatAt }))
    await sendIndex(indexQueue, workspaceId, [{ kind: 'probe', workspaceId, syncId, sentAt }]);
}
