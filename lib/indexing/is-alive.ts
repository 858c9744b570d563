import type { Clock } from '../ports/clock.ts';
import { isRunning, type Sync } from './schema.ts';

/**
 * The time in milliseconds without a heartbeat after which a sync gets a probe, through the queues in which its own
 * messages wait.
 */
export const PROBE_AFTER_MS = 10 * 60_000;
/**
 * A sync that is silent for this number of milliseconds after its probe came through has nothing left in the queues. It
 * is twice the time until a file that always ends its worker reaches the dead-letter queue (test/infra/queues.test.ts).
 */
export const SILENT_AFTER_PROBE_MS = 50 * 60_000;
/** Milliseconds. A queue retains messages for four days. Older ones are lost, including the probe. */
const LOST_MS = 4 * 24 * 60 * 60_000;

/** True if a sync must be waited for because it's running, or because its messages wait behind others, however long. */
export function isAlive(sync: Sync, clock: Clock): boolean {
  if (!isRunning(sync.status)) return false;
  const now = clock.now();
  const probe = probeOf(sync);
  if (probe === undefined) return now - Date.parse(sync.heartbeatAt) < LOST_MS;
  if (probe.returnedAt === null) return now - Date.parse(probe.sentAt) < LOST_MS;
  return now - Date.parse(probe.returnedAt) < SILENT_AFTER_PROBE_MS;
}

/** Returns the probe that was sent since the sync's latest heartbeat. */
export function probeOf({ probe, heartbeatAt }: Sync): NonNullable<Sync['probe']> | undefined {
  return probe !== null && probe.sentAt > heartbeatAt ? probe : undefined;
}
