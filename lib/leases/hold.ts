import { repeat } from '../async/repeat.ts';
import { type LogFields, log } from '../log.ts';
import type { Clock } from '../ports/clock.ts';

/** The lease may be another process's: it was taken over, or its holder was paused past its end. */
export class LeaseLost extends Error {
  constructor() {
    super('another process may have taken over this work');
  }
}

/** How late the signal of a lapsed lease may come. */
const LOOK_EVERY_MS = 400;

/** Something that the holder looks at while it works, such as whether a person stopped it. */
interface Watch {
  everyMs: number;
  /** A failure is logged, and it looks again. */
  look(abort: (reason: Error) => void): Promise<void>;
}

export interface HoldOptions {
  /** The holder lets go so long before the end: clocks differ, and a write takes effect after the check. */
  marginMs: number;
  /** Default: a quarter of what a renewal lasts. */
  renewEveryMs?: number;
  /** The reason of the signal when the lease is lost. */
  lost?: () => Error;
  /** The lease is taken for lost only when another has it: a renewal after its end may bring it back. */
  mayLapse?: boolean;
  watches?: Watch[];
  deadline?: { timeLeftMs: number; reason: () => Error };
  /** What is held, for the log. */
  about: LogFields;
}

interface Holding extends HoldOptions {
  clock: Clock;
  /** Milliseconds that one renewal lasts. */
  ms: number;
  /** When the lease ends, in milliseconds since the epoch; without it, the first renewal takes the lease (`ready`). */
  until?: number;
  /** Answers when the lease ends then, or undefined if it's lost. */
  renew(): Promise<number | undefined>;
}

/** A lease as its holder sees it. */
export interface Held {
  /** Aborted when the lease is lost, by a watch, or at the deadline. */
  signal: AbortSignal;
  /** The lease is the holder's: nothing may be done before. Rejects with the signal's reason. */
  ready: Promise<void>;
  isHeld(): boolean;
  /**
   * Throws the signal's reason once another process may have the lease. To be called right before each write: it looks at the clock,
   * because timers come late after a pause of the whole process.
   */
  requireHeld(): void;
  /** Renews now, or waits for the renewal in progress. Throws the signal's reason. */
  renew(): Promise<void>;
  /** Resolves when no renewal is in progress. */
  idle(): Promise<void>;
  abort(reason: Error): void;
  /** Ends renewals, watches, and the deadline: the lease is about to be left, or its holder ends. */
  stop(): void;
}

/** Holds a lease while there is work: renews it, counted from when the renewal was sent, and aborts when it may be lost. */
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
    stop(); // how long ending may take is bounded by what is left of the lease, also if the process hangs
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
    if (number < latest) return; // it hung: a later one knows better
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

/** Each has its own timer, so that one call that hangs delays no other. */
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
