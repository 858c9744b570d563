import { randomUUID } from 'node:crypto';
import type { Held } from '../leases/hold.ts';
import { leasesOf } from '../leases/lease.ts';
import { type Clock, timestamp } from '../ports/clock.ts';
import type { FieldExpectation } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import type { Collection } from '../records/collection.ts';

/** Milliseconds that the worker of a run, or of a part of one, may be silent before it counts as dead. */
const LEASE_MS = 60_000;
/** Milliseconds reserved for the last records. */
export const RESERVE_MS = 10_000;

export interface WorkPorts extends TimedRecords {
  /** Default: LEASE_MS. */
  leaseMs?: number;
}

type WorkStatus = 'waiting' | 'running' | 'success' | 'skipped' | 'error';

/**
 * A run, or one workspace's part of a run. It waits for its message, belongs to one process at a time, and ends once.
 */
interface WorkItem {
  status: WorkStatus;
  attempts: number;
  /** The process that works on the item. Writes of other processes are rejected. */
  owner: string;
  /** The deadline for the next heartbeat of the worker or, while the item waits, for receiving its message. */
  leaseUntil: string | null;
}

/** A failure whose text is meant for readers of the history. */
export class RunFailed extends Error {}

export function isOver({ status }: { status: WorkStatus }): boolean {
  return status !== 'waiting' && status !== 'running';
}

/**
 * Returns the state machine of a kind of work item. An item whose message isn't received within `patience`
 * leases gets a new message.
 */
export function workItems<Item extends WorkItem, Id>(collection: Collection<Item, Id>, patience: number) {
  const leasesFor = ({ leaseMs = LEASE_MS }: Pick<WorkPorts, 'leaseMs'>) =>
    leasesOf({ collection, ms: leaseMs, owner: 'owner', until: 'leaseUntil' });

  function leaseEnd({ clock, leaseMs = LEASE_MS }: Omit<WorkPorts, 'records'>, waits = false): string {
    return timestamp(clock, waits ? patience * leaseMs : leaseMs);
  }

  return {
    leaseEnd,
    /** Returns the fields of an item that waits for its message. */
    waiting: (ports: Omit<WorkPorts, 'records'>) => ({
      status: 'waiting' as const,
      attempts: 0,
      owner: randomUUID(),
      leaseUntil: leaseEnd(ports, true),
    }),
    isLapsed: (item: Item, clock: Clock) => !leasesFor({}).isHeld(item, clock),
    /** Claims an item that was read for this process; undefined if another process was faster. */
    claim: (ports: WorkPorts, item: Item, set: Partial<Item>) =>
      leasesFor(ports).take(ports, item, { set, expect: { status: item.status } }),
    /**
     * Sets fields, which also counts as a heartbeat. Undefined if another process has the item, or `expect`
     * isn't met.
     */
    change: (
      { records, ...ports }: WorkPorts,
      item: Item,
      set: Partial<Item>,
      { waits = false, ...expect }: { waits?: boolean } & FieldExpectation = {},
    ) => {
      const fields = { leaseUntil: leaseEnd(ports, waits), ...set };
      return collection.patch(records, item, fields, { owner: item.owner, ...expect });
    },
    /** Holds a claimed item until the work has ended, which must happen before the time limit. */
    hold: (ports: WorkPorts, item: Item, timeLeftMs: number): Held => {
      const leases = leasesFor(ports);
      return leases.hold(ports, item, {
        marginMs: leases.ms / 12,
        expect: { status: 'running' },
        deadline: {
          timeLeftMs: timeLeftMs - RESERVE_MS,
          reason: () => new RunFailed('The run took longer than allowed.'),
        },
        about: {},
      });
    },
  };
}
