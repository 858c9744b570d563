import { Forbidden } from '../errors.ts';
import { type Held, hold } from '../leases/hold.ts';
import { leasesOf } from '../leases/lease.ts';
import type { Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { failOvertaken, whileOvertaken } from '../records/change.ts';
import type { RunPorts } from './ports.ts';
import { requireRunRights } from './rights.ts';
import { type Run, type RunLease, runLeases, runs, stoppedCallsOf } from './schema.ts';

/**
 * Milliseconds of silence after which a run's worker counts as dead. That is more than a store call that
 * hangs in all its attempts (55 s), plus the time between two renewals, plus the clock skew of two hosts.
 */
export const LEASE_MS = 90_000;
/** Milliseconds before the lease's end in which aborted work must end, because clocks differ. */
const LET_GO_MS = 10_000;
const RENEW_EVERY_MS = 10_000;
/** The maximum milliseconds until a stop, from any instance, is noticed. */
const LOOK_EVERY_MS = 400;
const CHECK_RIGHTS_EVERY_MS = 5_000;
/** Milliseconds after which the scheduler tick checks whether an answer also reached the run. */
const LOOK_AGAIN_MS = 30_000;

const leases = leasesOf({ collection: runLeases, ms: LEASE_MS, owner: 'owner', until: 'until' });

/** A person stopped the run, or it now belongs to another process. */
export class RunStopped extends Error {
  readonly byPerson: boolean;
  constructor(byPerson: boolean) {
    super(byPerson ? 'the run was stopped' : 'another process took over the run');
    this.byPerson = byPerson;
  }
}

/** The time of a function is over. */
export class RunTimeUp extends Error {}

export function isLeaseOver(lease: RunLease, { clock }: TimedRecords): boolean {
  return leases.endOf(lease) <= clock.now();
}

/**
 * Writes the lease over the one that was read, or over a missing one. Undefined if another process has
 * written it since.
 */
export function replaceLease(
  ports: TimedRecords,
  runId: string,
  read: RunLease | undefined,
  { owner, ms }: { owner: string | null; ms?: number },
): Promise<RunLease | undefined> {
  return read === undefined
    ? leases.create(ports, { runId, owner, until: '' }, owner)
    : leases.take(ports, read, { owner, ms });
}

/** Writes the lease for the next worker of the run. */
export async function leaveLease(ports: TimedRecords, runId: string): Promise<void> {
  await whileOvertaken(
    async () => replaceLease(ports, runId, await runLeases.get(ports.records, { runId }), { owner: null }),
    failOvertaken,
  );
}

/**
 * If this process dies before an answer reaches its suspended run, the scheduler tick soon delivers the
 * answer. A running run doesn't need that.
 */
export async function lookSoon(ports: TimedRecords, runId: string): Promise<void> {
  await whileOvertaken(async () => {
    const there = await runLeases.get(ports.records, { runId });
    const run = await runs.get(ports.records, { id: runId }); // in this order: see lookLater
    return !run?.parked || replaceLease(ports, runId, there, { owner: null, ms: LOOK_AGAIN_MS });
  }, failOvertaken);
}

/** The parts of the work on a run that concern its lease. */
interface Watched {
  steps(): number;
  stopCalls?(toolCallIds: string[]): void;
}

/**
 * Holds the lease of a run while it's worked on. Aborts its signal when the run is stopped or taken over, its
 * caller loses the right to it, the lease couldn't be renewed in time, or the time is up. None of this
 * depends on the client: on Lambda, no process learns that a client has left.
 */
export function holdRunLease(ports: RunPorts, run: Run, timeLeftMs: number, work: Watched): Held {
  return hold({
    ...{ clock: ports.clock, ms: LEASE_MS, marginMs: LET_GO_MS, renewEveryMs: RENEW_EVERY_MS },
    renew: renewalOf(ports, run),
    lost: () => new RunStopped(false),
    watches: [
      { everyMs: LOOK_EVERY_MS, look: (abort) => lookAtRun(ports, run, work, abort) },
      { everyMs: CHECK_RIGHTS_EVERY_MS, look: (abort) => checkRights(ports, run, abort) },
    ],
    deadline: { timeLeftMs, reason: () => new RunTimeUp() },
    about: { runId: run.id },
  });
}

/** Returns a function that renews the lease. It claims the lease the first time, and after another process wrote it. */
function renewalOf(ports: TimedRecords, run: Run): () => Promise<number | undefined> {
  let mine: RunLease | undefined;
  return async () => {
    const end = mine && (await leases.renew(ports, mine));
    if (end !== undefined) return end;
    mine = await claimLease(ports, run);
    return mine && leases.endOf(mine);
  };
}

/**
 * Claims only a free lease. Afterwards, no other process can claim the run before the lease expires, unless it already
 * has.
 */
async function claimLease(ports: TimedRecords, run: Run): Promise<RunLease | undefined> {
  const { mine } = await whileOvertaken(async () => {
    const there = await runLeases.get(ports.records, { runId: run.id });
    if (there?.owner === run.owner) return { mine: there }; // an earlier claim hung, but succeeded
    // A delayed renewal by an earlier worker must not interfere with the next one's lease.
    if (there?.owner !== null || !(await isWorkedOnBy(ports, run))) return { mine: undefined };
    const mine = await leases.take(ports, there, { owner: run.owner });
    return mine && { mine };
  }, failOvertaken);
  return mine && (await isWorkedOnBy(ports, run)) ? mine : undefined;
}

async function isWorkedOnBy({ records }: TimedRecords, run: Run): Promise<boolean> {
  const now = await runs.get(records, run);
  return now?.owner === run.owner && now.status === 'running' && !now.parked;
}

async function lookAtRun(
  { records }: RunPorts,
  run: Run,
  work: Watched,
  abort: (reason: Error) => void,
): Promise<void> {
  const now = await runs.get(records, run);
  if (now?.stopRequested) abort(new RunStopped(true));
  else if (now?.owner !== run.owner || now.status !== 'running') abort(new RunStopped(false));
  else await followWork(records, run, now, work);
}

/** Stops the calls that a person stopped, and stores the number of steps for readers. */
async function followWork(
  records: Records,
  { owner }: Run,
  now: Run,
  { steps, stopCalls }: Watched,
): Promise<void> {
  stopCalls?.(stoppedCallsOf(now));
  if (now.steps < steps()) await runs.patch(records, now, { steps: steps() }, { owner, status: 'running' });
}

/** Checks the caller's rights during a step, which may take long with a slow command or model. */
async function checkRights(ports: RunPorts, run: Run, abort: (reason: Error) => void): Promise<void> {
  await requireRunRights(ports, run).catch((error: unknown) => {
    if (!(error instanceof Forbidden)) throw error;
    abort(error);
  });
}
