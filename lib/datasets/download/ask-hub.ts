import { setTimeout as sleep } from 'node:timers/promises';
import { jitteredDelay, retry } from '../../async/retry.ts';
import { HubBusy } from '../../ports/hub.ts';
import { ifExpected, type Records } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { hubPauses } from './records.ts';

/** Maximum age of the known pause, in milliseconds. */
const FRESH_MS = 500;
/** In milliseconds. The queue handles longer waits. */
const MAX_WAIT_MS = 20_000;
/**
 * Maximum attempts in a row without progress, after waits of 1, 2, 4, 8, and 16 s, each up to half shorter.
 */
const MAX_TRIES = 6;
const FIRST_WAIT_MS = 1000;

/** The hub requests a longer pause than this process should wait. */
export class Postponed extends Error {
  readonly until: number;

  constructor(until: number) {
    super('postponed');
    this.until = until;
  }
}

const known = new WeakMap<Records, Map<string, { until: number; readAt: number }>>();

/**
 * Calls a hub unless it's paused, and retries if it's busy. `made` returns whether an attempt has made
 * progress.
 */
export async function askHub<Result>(
  ports: TimedRecords,
  source: string,
  signal: AbortSignal,
  ask: () => Promise<Result>,
  made: () => boolean = () => false,
): Promise<Result> {
  let fruitless = 0;
  const askInTurn = async () => {
    await waitForHub(ports, source, signal);
    return ask().catch(async (error: unknown) => {
      if (error instanceof HubBusy && error.pauseMs !== undefined)
        await pauseHub(ports, source, error.pauseMs);
      throw error;
    });
  };
  return retry(askInTurn, {
    signal,
    waitAfter(error) {
      if (!(error instanceof HubBusy)) return undefined;
      fruitless = made() ? 1 : fruitless + 1;
      if (error.pauseMs !== undefined) return 0; // a rate limit isn't a failure: waitForHub waits for its end
      return fruitless < MAX_TRIES ? jitteredDelay(fruitless, FIRST_WAIT_MS) : undefined;
    },
  });
}

/** Records a pause. All workers share it, so a pause that one of them receives applies to all. */
async function pauseHub({ records, clock }: TimedRecords, source: string, pauseMs: number): Promise<void> {
  const until = clock.now() + pauseMs;
  remember(records, source, until, clock.now());
  if (await hubPauses.create(records, { source, until })) return;
  await ifExpected(hubPauses.update(records, { source }, { set: { until } }, { until: { lessThan: until } }));
}

async function waitForHub(ports: TimedRecords, source: string, signal: AbortSignal): Promise<void> {
  const { clock } = ports;
  for (;;) {
    signal.throwIfAborted();
    const left = (await pausedUntil(ports, source)) - clock.now();
    if (left <= 0) return;
    if (left > MAX_WAIT_MS) throw new Postponed(clock.now() + left);
    await sleep(Math.min(left, FRESH_MS), undefined, { signal });
  }
}

async function pausedUntil({ records, clock }: TimedRecords, source: string): Promise<number> {
  const seen = known.get(records)?.get(source);
  if (seen !== undefined && clock.now() - seen.readAt < FRESH_MS) return seen.until;
  // Recorded before the response arrives, so that no other call sends a request in the meantime.
  remember(records, source, seen?.until ?? 0, clock.now());
  const until = (await hubPauses.get(records, { source }))?.until ?? 0;
  remember(records, source, until, clock.now());
  return until;
}

/**
 * Remembers a pause. It can only become longer, so a read that started earlier doesn't end a pause that
 * another call received.
 */
function remember(records: Records, source: string, until: number, readAt: number): void {
  const pauses = known.get(records) ?? new Map<string, { until: number; readAt: number }>();
  known.set(records, pauses);
  pauses.set(source, { until: Math.max(until, pauses.get(source)?.until ?? 0), readAt });
}
