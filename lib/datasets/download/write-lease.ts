import { setTimeout as sleep } from 'node:timers/promises';
import { hold } from '../../leases/hold.ts';
import { leasesOf } from '../../leases/lease.ts';
import { ExpectationFailed } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { datasetPartition } from '../schema.ts';
import { type DownloadLease, downloadLeases, LEASE_PREFIX } from './records.ts';

/**
 * Milliseconds after which a lease expires unless it's renewed. A dead worker can delay a pause by this long.
 */
const LEASE_MS = 1500;
const RENEW_EVERY_MS = 400;
/**
 * Milliseconds before a lease's end in which nothing is written, because clocks differ, and a write takes
 * time.
 */
const MARGIN_MS = 300;
const LOOK_EVERY_MS = 50;

const leases = leasesOf({
  collection: downloadLeases,
  ms: LEASE_MS,
  owner: 'owner',
  until: 'until',
  format: 'milliseconds',
});

/**
 * The dataset was paused, canceled, failed, or restarted, or another worker has it. This worker stops without
 * an error.
 */
export class Superseded extends Error {}

/** One worker's permission to write one piece of a dataset. */
export interface WriteLease {
  /** Aborted with Superseded when the lease is lost. */
  signal: AbortSignal;
  /**
   * Await this right before every write. It renews a lease that expired during a pause. Throws Superseded.
   */
  mayWrite(): Promise<void>;
  /** Renews the lease now, including its checks. */
  renew(): Promise<void>;
}

export interface LeaseClaim {
  datasetId: string;
  name: string;
  generation: number;
  /** Reads the dataset's record (and updates its counters); throws Superseded or ExpectationFailed. */
  check(): Promise<void>;
}

/**
 * Works under a lease. This writes the lease first and then reads the dataset, whereas a transition writes
 * the dataset first and then reads the leases (`awaitWriters`), so one of the two always sees the other.
 * Undefined if another worker is active.
 */
export async function withWriteLease<Result>(
  ports: TimedRecords,
  claim: LeaseClaim,
  work: (writeLease: WriteLease) => Promise<Result>,
): Promise<Result | undefined> {
  const mine = await takeLease(ports, claim);
  if (mine === undefined) return undefined;
  const held = holdLease(ports, claim, mine);
  try {
    await held.renew();
    return await work({
      signal: held.signal,
      renew: held.renew,
      async mayWrite() {
        held.signal.throwIfAborted();
        while (!held.isHeld()) await held.renew();
      },
    });
  } finally {
    held.stop();
    await held.idle();
    await leases.remove(ports, mine);
  }
}

async function takeLease(ports: TimedRecords, claim: LeaseClaim): Promise<DownloadLease | undefined> {
  const { records, clock } = ports;
  const { datasetId, name, generation } = claim;
  const seen = new Set<string>();
  const giveUpAt = clock.now() + 2 * LEASE_MS;
  for (;;) {
    const mine = await leases.acquire(ports, { datasetId, name, generation, owner: '', until: 0 });
    if (mine !== undefined) return mine;
    const other = await downloadLeases.get(records, claim);
    if (other === undefined) continue;
    seen.add(`${other.owner} ${other.until}`);
    const lives = seen.size > 1 && other.generation >= generation; // the other worker renews its lease
    if (lives || clock.now() > giveUpAt) return undefined;
    await sleep(LOOK_EVERY_MS);
  }
}

function holdLease(ports: TimedRecords, claim: LeaseClaim, mine: DownloadLease) {
  return hold({
    clock: ports.clock,
    ms: LEASE_MS,
    until: leases.endOf(mine),
    marginMs: MARGIN_MS,
    renewEveryMs: RENEW_EVERY_MS,
    async renew() {
      const until = await leases.renew(ports, mine);
      try {
        if (until !== undefined) await claim.check();
        return until;
      } catch (error) {
        if (error instanceof Superseded || error instanceof ExpectationFailed) return undefined;
        throw error;
      }
    },
    lost: () => new Superseded('superseded'),
    mayLapse: true,
    about: { datasetId: claim.datasetId },
  });
}

/**
 * Resolves once no worker of an earlier generation can write another byte. Call it after increasing the
 * generation and before responding. It takes milliseconds if the workers are alive, and otherwise until their
 * leases expire.
 */
export async function awaitWriters(
  { records, clock }: TimedRecords,
  datasetId: string,
  generation = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  const query = { partition: datasetPartition(datasetId), sortPrefix: LEASE_PREFIX };
  const giveUpAt = clock.now() + 2 * LEASE_MS;
  for (;;) {
    const { items } = await downloadLeases.list(records, query);
    const older = items.filter((lease) => lease.generation < generation && leases.isHeld(lease, clock));
    if (older.length === 0 || clock.now() > giveUpAt) return;
    await sleep(20);
  }
}
