import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ExpectationFailed } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { type DownloadLease, downloadLeases } from './records.ts';

/** A lease that is not renewed is over after this long: how long a dead worker can hold up a pause. */
export const LEASE_MS = 1500;
const RENEW_EVERY_MS = 400;
/** No bytes are written in the last moments of a lease: clocks differ, and a write takes its time. */
const MARGIN_MS = 300;
const LOOK_EVERY_MS = 50;

/** The dataset was paused, cancelled, failed or restarted, or another worker has it: a worker that gets this just stops. */
export class Superseded extends Error {}

/** The right to write, of one worker, on one piece of a dataset. */
export interface WriteLease {
  /** Aborted, with Superseded, when the right is lost. */
  signal: AbortSignal;
  /** Await this right before every write. Throws Superseded. */
  mayWrite(): Promise<void>;
  /** Renews the lease now, with the checks that go with it. */
  renew(): Promise<void>;
}

export interface Claim {
  datasetId: string;
  name: string;
  generation: number;
  /** Reads the dataset's record (and brings its counters forward); throws Superseded or ExpectationFailed. */
  check(): Promise<void>;
}

/**
 * Works under a lease. Writes the lease first and reads the dataset after it, while a transition of the dataset writes
 * that first and reads the leases after it (`awaitWriters`): one of the two always sees the other. Undefined: another
 * worker is active here.
 */
export async function withWriteLease<Result>(
  ports: TimedRecords,
  claim: Claim,
  work: (writeLease: WriteLease) => Promise<Result>,
): Promise<Result | undefined> {
  const lease = await takeLease(ports, claim);
  if (lease === undefined) return undefined;
  const held = keepWriteLease(ports, claim, lease);
  try {
    await held.writeLease.renew();
    return await work(held.writeLease);
  } finally {
    await held.end();
  }
}

async function takeLease({ records, clock }: TimedRecords, claim: Claim): Promise<DownloadLease | undefined> {
  const { datasetId, name, generation } = claim;
  const seen = new Set<string>();
  const giveUpAt = clock.now() + 2 * LEASE_MS;
  for (;;) {
    const lease = { datasetId, name, generation, owner: randomUUID(), until: clock.now() + LEASE_MS };
    if (await downloadLeases.create(records, lease)) return lease;
    const other = await downloadLeases.get(records, lease);
    if (other === undefined) continue;
    const expect = { owner: other.owner, until: other.until };
    if (other.until <= clock.now() && (await downloadLeases.put(records, lease, expect))) return lease;
    seen.add(`${other.owner} ${other.until}`);
    const lives = seen.size > 1 && other.generation >= generation; // it renews
    if (lives || clock.now() > giveUpAt) return undefined;
    await sleep(LOOK_EVERY_MS);
  }
}

function keepWriteLease(ports: TimedRecords, claim: Claim, lease: DownloadLease) {
  const { records, clock } = ports;
  const controller = new AbortController();
  let writableUntil = 0;
  let renewing: Promise<void> | undefined;
  const renewOnce = async () => {
    const until = clock.now() + LEASE_MS;
    await downloadLeases.update(records, lease, { set: { until } }, { owner: lease.owner });
    await claim.check();
    writableUntil = until - MARGIN_MS;
  };
  const renew = () => {
    renewing ??= renewOnce()
      .catch((error: unknown) => {
        if (isLost(error)) controller.abort(new Superseded('superseded'));
        controller.signal.throwIfAborted();
        throw error;
      })
      .finally(() => {
        renewing = undefined;
      });
    return renewing;
  };
  const timer = setInterval(() => {
    if (!controller.signal.aborted) void renew().catch(() => undefined);
  }, RENEW_EVERY_MS);
  const writeLease: WriteLease = {
    signal: controller.signal,
    renew,
    async mayWrite() {
      controller.signal.throwIfAborted();
      while (clock.now() >= writableUntil) await renew();
    },
  };
  const end = async () => {
    clearInterval(timer);
    await renewing?.catch(() => undefined);
    await downloadLeases.delete(records, lease, { owner: lease.owner }).catch(ignoreLost);
  };
  return { writeLease, end };
}

function isLost(error: unknown): boolean {
  return error instanceof Superseded || error instanceof ExpectationFailed;
}

function ignoreLost(error: unknown): void {
  if (!isLost(error)) throw error;
}
