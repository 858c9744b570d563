import { repeat } from '../../async/repeat.ts';
import { Forbidden } from '../../errors.ts';
import { log } from '../../log.ts';
import type { RunPorts } from '../ports.ts';
import { type Run, runs } from '../schema.ts';
import { LEASE_MS, LET_GO_MS, renewLease } from './leases.ts';
import { requireRunRights } from './rights.ts';

/** How long a stop may take to be noticed, from any requester on any instance. */
const LOOK_EVERY_MS = 400;
const CHECK_RIGHTS_EVERY_MS = 5_000;
const RENEW_EVERY_MS = 10_000;

/** The run was stopped by a person, or belongs to another process now. */
export class RunStopped extends Error {
  readonly byPerson: boolean;
  constructor(byPerson: boolean) {
    super(byPerson ? 'the run was stopped' : 'another process took over the run');
    this.byPerson = byPerson;
  }
}

/** The time of one function is up. */
export class RunTimeUp extends Error {}

export interface KeptLease {
  signal: AbortSignal;
  /** The lease is ours: nothing may be done before. Rejects with the signal's reason. */
  ready: Promise<void>;
  /** Throws when another process may have the run by now. To be called right before anything is done. */
  requireHeld(): void;
  /** The run is about to be left to others: ends renewals and looks. */
  letGo(): void;
  end(): void;
}

/**
 * Keeps a run alive while it's worked on. Aborts its signal when the run is stopped or taken over, its caller loses the right
 * to it, the lease could not be renewed in time, or the time is up. Looks, rights and renewals each have their own timer,
 * so one call that hangs delays no other. Nothing here depends on the client: on Lambda, no process learns that
 * one has left.
 */
export function keepLease(
  ports: RunPorts,
  run: Run,
  timeLeftMs: number,
  countSteps: () => number,
): KeptLease {
  const controller = new AbortController();
  const { signal } = controller;
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => undefined); // callers who await it get the failure
  let heldUntil = ports.clock.now() + LEASE_MS - LET_GO_MS;

  function abort(reason: Error): void {
    controller.abort(reason);
    // From here on the lease bounds how long ending may take: a process that hangs, or is not the owner, must not keep
    // the run alive.
    letGo();
    ready.reject(signal.reason);
  }

  /** Looks at the clock and not at a timer: timers come late after a pause of the whole process. */
  function requireHeld(): void {
    if (!signal.aborted && ports.clock.now() >= heldUntil) abort(new RunStopped(false));
    signal.throwIfAborted();
  }

  async function renew(): Promise<void> {
    const until = await renewLease(ports, run);
    if (until === undefined) return abort(new RunStopped(false));
    heldUntil = Math.max(heldUntil, until - LET_GO_MS);
    ready.resolve();
  }

  const timers = [
    repeat(LOOK_EVERY_MS, () => lookAtRun(ports, run, countSteps, abort), tell(run)),
    repeat(CHECK_RIGHTS_EVERY_MS, () => checkRights(ports, run, abort), tell(run)),
    repeat(RENEW_EVERY_MS, renew, tell(run)),
    repeat(LOOK_EVERY_MS, async () => requireHeld(), tell(run)),
  ];
  const deadline = setTimeout(() => abort(new RunTimeUp()), Math.max(0, timeLeftMs));
  function letGo(): void {
    for (const timer of timers) clearInterval(timer);
    clearTimeout(deadline);
  }
  renew().catch(tell(run));
  return {
    signal,
    ready: ready.promise,
    requireHeld,
    letGo,
    end: () => abort(new RunStopped(false)), // work that may still be running after the run was taken over
  };
}

async function lookAtRun(
  { records }: RunPorts,
  run: Run,
  countSteps: () => number,
  abort: (reason: Error) => void,
): Promise<void> {
  const now = await runs.get(records, run);
  if (now?.stopRequested) abort(new RunStopped(true));
  else if (now?.owner !== run.owner || now.status !== 'running') abort(new RunStopped(false));
  else if (now.steps < countSteps()) await runs.update(records, run, { set: { steps: countSteps() } });
}

/** A step may take long, with a slow command or model: whether the caller may still do this is looked at here too. */
async function checkRights(ports: RunPorts, run: Run, abort: (reason: Error) => void): Promise<void> {
  await requireRunRights(ports, run).catch((error: unknown) => {
    if (!(error instanceof Forbidden)) throw error;
    abort(error);
  });
}

function tell({ id }: Run): (error: unknown) => void {
  return (error) => {
    if (error instanceof RunStopped) return; // the run's worker reports it
    log.warn('a run was not looked after', { runId: id, reason: String(error) });
  };
}
