import { repeat } from '../async/repeat.ts';
import { type LogFields, log } from '../log.ts';
import type { Clock } from '../ports/clock.ts';

/**
 * The lease may belong to another process, because that process took it over, or because the holder was
 * paused past its end.
 */
export class LeaseLost extends Error {
  constructor() {
    super('another process may have taken over this work');
  }
}

/** Maximum milliseconds by which the signal of an expired lease may be late. */
const LOOK_EVERY_MS = 400;

/** A check that the holder repeats while it works, such as whether a person has stopped the work. */
interface Watch {
  everyMs: number;
  /** A failed check is logged and repeated. */
  look(abort: (reason: Error) => void): Promise<void>;
}

export interface HoldOptions {
  /**
   * Milliseconds before the end at which the holder stops, because clocks differ, and a write takes effect
   * only after its check.
   */
  marginMs: number;
  /** Milliseconds between renewals; by default a quarter of the time for which one is valid. */
  renewEveryMs?: number;
  /** Returns the signal's reason for a lost lease. */
  lost?: () => Error;
  /**
   * True if the lease counts as lost only once another process has it. A renewal after its end may then
   * restore it.
   */
  mayLapse?: boolean;
  watches?: Watch[];
  deadline?: { timeLeftMs: number; reason: () => Error };
  /** Log fields that identify the lease. */
  about: LogFields;
}

interface Holding extends HoldOptions {
  clock: Clock;
  /** Milliseconds for which one renewal is valid. */
  ms: number;
  /**
   * When the lease ends, in milliseconds since the epoch. If absent, the first renewal takes the lease
   * (`ready`).
   */
  until?: number;
  /** Renews the lease; returns its new end, or undefined if it's lost. */
  renew(): Promise<number | undefined>;
}

/** A lease from its holder's point of view. */
export interface Held {
  /** Aborted when the lease is lost, when a watch aborts it, or at the deadline. */
  signal: AbortSignal;
  /**
   * Resolves once the holder has the lease. The work may not start before that. Rejects with the signal's
   * reason.
   */
  ready: Promise<void>;
  isHeld(): boolean;
  /**
   * Throws the signal's reason once another process may have the lease. Call it right before each write: it
   * checks the clock, whereas timers are late after a pause of the whole process.
   */
  requireHeld(): void;
  /** Renews now, or waits for the renewal in progress. Throws the signal's reason. */
  renew(): Promise<void>;
  /** Resolves when no renewal is in progress. */
  idle(): Promise<void>;
  abort(reason: Error): void;
  /**
   * Ends renewals, watches, and the deadline, because the lease is about to be released or its holder ends.
   */
  stop(): void;
}

/**
 * Holds a lease during work: renews it, counting its time from when the renewal was sent, and aborts when it
 * may be lost.
 */
export function hold(holding: Holding): Held {
  const { clock, ms, marginMs, lost = () => new LeaseLost() } = holding;
  const controller = new AbortController();
  const { signal } = controller;
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => undefined); // callers who await it get the failure
  let heldUntil = (holding.until ?? clock.now() + ms) - marginMs;
  let renewing: Promise<void> | undefined;
  let renewals = 0;
  let latest = 0;

  function abort(reason: Error): void {
    controller.abort(reason);
    stop(); // the rest of the lease limits how long ending takes, even if the process hangs
    ready.reject(signal.reason);
  }
  const isHeld = () => !signal.aborted && clock.now() < heldUntil;
  function requireHeld(): void {
    if (!signal.aborted && !isHeld() && !holding.mayLapse) abort(lost());
    signal.throwIfAborted();
    if (!isHeld()) throw lost();
  }
  async function renewOnce(): Promise<void> {
    const number = ++renewals;
    const until = await holding.renew();
    if (until === undefined) return abort(lost());
    if (number < latest) return; // this renewal hung, and a later result counts
    latest = number;
    heldUntil = until - marginMs;
    ready.resolve();
  }
  function renew(): Promise<void> {
    const mine = renewOnce().finally(() => {
      if (renewing === mine) renewing = undefined;
    });
    renewing = mine;
    return mine;
  }

  const stop = startTimers(holding, { abort, renew, requireHeld });
  if (holding.until === undefined) renew().catch(logFailure(holding));
  else ready.resolve();
  const renewNow = async () => {
    await (renewing ?? renew());
    signal.throwIfAborted();
  };
  const idle = async () => {
    await renewing?.catch(() => undefined);
  };
  return { signal, ready: ready.promise, isHeld, requireHeld, renew: renewNow, idle, abort, stop };
}

/** Starts separate timers, so that a call that hangs doesn't delay another. */
function startTimers(
  holding: Holding,
  { abort, renew, requireHeld }: Pick<Held, 'abort' | 'renew' | 'requireHeld'>,
) {
  const { ms, renewEveryMs = ms / 4, watches = [], deadline } = holding;
  const tell = logFailure(holding);
  const look = async () => requireHeld();
  const timers = [
    repeat(renewEveryMs, renew, tell),
    repeat(LOOK_EVERY_MS, look, () => undefined), // the signal has the reason
    ...watches.map((watch) => repeat(watch.everyMs, () => watch.look(abort), tell)),
  ];
  const timeUp = deadline && setTimeout(() => abort(deadline.reason()), Math.max(0, deadline.timeLeftMs));
  return () => {
    for (const timer of timers) clearInterval(timer);
    clearTimeout(timeUp);
  };
}

function logFailure({ about }: Holding): (error: unknown) => void {
  return (error) => log.warn('a lease was not looked after', { ...about, reason: String(error) });
}
