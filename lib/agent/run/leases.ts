import { timestamp } from '../../ports/clock.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { type Run, type RunLease, runLeases, runs } from '../schema.ts';

/**
 * A run whose worker is silent for this long is taken for dead. It outlasts a call of the store that hangs through all its
 * tries (55 s), the time between two renewals, and what the clocks of two machines differ.
 */
export const LEASE_MS = 90_000;
/**
 * A worker must let go of a run this long before others may take it, because clocks differ and aborted
 * work needs time to end.
 */
export const LET_GO_MS = 10_000;
/** The tick looks after this time whether an answer that was given also reached the run. */
const LOOK_AGAIN_MS = 30_000;
/** Limits the tries: each further one needs another process's write in between. */
const MAX_TRIES = 10;

/**
 * Writes the lease for the next worker of the run. Only replaces what was read, so that a write that hangs and comes late
 * never undoes a renewal.
 */
export async function leaveLease({ records, clock }: TimedRecords, runId: string): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const there = await runLeases.get(records, { runId });
    if (await replace(records, there, { runId, until: timestamp(clock, LEASE_MS), owner: null })) return;
  }
  throw new Error('the lease of a run is fought over');
}

/**
 * Renews the lease of the run's worker; returns when it expires, in milliseconds, or undefined if it belongs to
 * another. The first time, and after another process wrote it, it's claimed.
 */
export async function renewLease(ports: TimedRecords, run: Run): Promise<number | undefined> {
  const { records, clock } = ports;
  const end = clock.now() + LEASE_MS;
  const until = new Date(end).toISOString();
  const mine = { runId: run.id, until, owner: run.owner };
  if (await runLeases.put(records, mine, { owner: run.owner, until: { lessThan: until } })) return end;
  const there = await runLeases.get(records, { runId: run.id });
  if (there?.owner === run.owner) return Date.parse(there.until); // a later renewal was faster
  return (await takeLease(ports, run, there, mine)) ? end : undefined;
}

/**
 * Claims only a free lease. Then no other process can claim the run before the lease expires, unless it has been
 * claimed already.
 */
async function takeLease(
  { records }: TimedRecords,
  run: Run,
  there: RunLease | undefined,
  mine: RunLease,
): Promise<boolean> {
  if (there === undefined || there.owner !== null) return false;
  if (!(await replace(records, there, mine))) return false;
  const now = await runs.get(records, run);
  return now?.owner === run.owner && now.status === 'running' && !now.parked;
}

/** Takes a lease that is over, as it was read; false when its owner gave a sign of life since. */
export async function takeExpired(
  { records, clock }: TimedRecords,
  runId: string,
  there: RunLease | undefined,
  owner: string,
): Promise<boolean> {
  return replace(records, there, { runId, until: timestamp(clock, LEASE_MS), owner });
}

/** Should this process end before a parked run hears of an answer, the tick tells it soon. One that is worked on needs none. */
export async function lookSoon({ records, clock }: TimedRecords, runId: string): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const there = await runLeases.get(records, { runId });
    const run = await runs.get(records, { id: runId }); // in this order: see lookLater
    if (!run?.parked) return;
    const soon = { runId, until: timestamp(clock, LOOK_AGAIN_MS), owner: null };
    if (await replace(records, there, soon)) return;
  }
}

async function replace(
  records: TimedRecords['records'],
  there: RunLease | undefined,
  lease: RunLease,
): Promise<boolean> {
  return there === undefined
    ? runLeases.create(records, lease)
    : runLeases.put(records, lease, { until: there.until });
}
