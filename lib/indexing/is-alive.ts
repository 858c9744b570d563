import type { Clock } from '../ports/clock.ts';
import { isRunning, type Sync } from './schema.ts';

/**
 * Milliseconds without a heartbeat after which a sync gets a probe, through the queues in which its own
 * messages wait.
 */
export const PROBE_AFTER_MS = 10 * 60_000;
/**
 * Milliseconds. A sync that is silent for this long after its probe came through has no message left in the
 * queues. It is twice the time until a file that always ends its worker reaches the dead-letter queue
 * (test/infra/queues.test.ts).
 */
export const SILENT_AFTER_PROBE_MS = 50 * 60_000;
/** In milliseconds. A queue retains messages for four days. Older ones are lost, including the probe. */
const LOST_MS = 4 * 24 * 60 * 60_000;

/**
 * Returns true if a sync must be waited for: it is running, or its messages wait behind others, however long
 * that takes.
 */
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
