import type { LogFields } from '../log.ts';
import type { Clock } from '../ports/clock.ts';
import type { QueueState } from '../ports/queue.ts';
import { type EventName, report } from '../telemetry/events.ts';
import type { DiskState } from './disk-state.ts';

/** Seconds for which a message may wait for a worker, as in infra/alarms.yml. */
const MAX_WAIT_SECONDS = 1800;
const MAX_WAIT_OF: Record<string, number> = { touch: 300 };
const DAY_MS = 24 * 60 * 60 * 1000;
/** Milliseconds after which a condition that persists is logged again. */
const AGAIN_MS = 60 * 60 * 1000;

export interface HostWatchPorts {
  clock: Clock;
  measureQueues(): QueueState[];
  watchDisk(): Promise<DiskState>;
  lastBackup(): Promise<number | undefined>;
  /** Days after which a backup counts as old; undefined if backups aren't watched. */
  backupDueDays: number | undefined;
}

/** A state that an operator should know about until it ends. */
interface Condition {
  event: EventName;
  /** Distinguishes conditions of the same event. */
  about?: string;
  message: string;
  fields: LogFields;
}

/**
 * Returns a function to call each minute. It reports conditions when they start, and hourly while they
 * persist.
 */
export function hostWatch(ports: HostWatchPorts): () => Promise<void> {
  const said = new Map<string, number>();
  return async () => {
    const now = ports.clock.now();
    const conditions = await findConditions(ports);
    const names = new Set(conditions.map(nameOf));
    for (const name of said.keys()) if (!names.has(name)) said.delete(name);
    for (const condition of conditions) {
      const name = nameOf(condition);
      if (now - (said.get(name) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) continue;
      said.set(name, now);
      report(condition.event, condition.message, condition.fields);
    }
  };
}

function nameOf({ event, about = '' }: Condition): string {
  return `${event} ${about}`;
}

async function findConditions(ports: HostWatchPorts): Promise<Condition[]> {
  return [
    ...ports.measureQueues().flatMap(findLate),
    ...findFull(await ports.watchDisk()),
    ...findOldBackup(ports, await ports.lastBackup()),
  ];
}

function findLate({ name, isDead, waiting, waitsSeconds }: QueueState): Condition[] {
  if (isDead || waitsSeconds <= (MAX_WAIT_OF[name] ?? MAX_WAIT_SECONDS)) return [];
  const fields = { queue: name, waiting, waitsSeconds };
  return [{ event: 'queue_late', about: name, message: 'messages of a queue wait too long', fields }];
}

function findFull(state: DiskState): Condition[] {
  if (state === 'ok') return [];
  const event = state === 'full' ? 'disk_full' : 'disk_low';
  return [{ event, message: `the disk is ${state === 'full' ? 'full' : 'nearly full'}`, fields: {} }];
}

function findOldBackup({ clock, backupDueDays }: HostWatchPorts, last: number | undefined): Condition[] {
  if (backupDueDays === undefined) return [];
  if (last !== undefined && clock.now() - last <= backupDueDays * DAY_MS) return [];
  const fields = { lastBackupAt: last === undefined ? null : new Date(last).toISOString() };
  return [{ event: 'backup_old', message: 'the latest backup is too old', fields }];
}
