import { setTimeout as sleep } from 'node:timers/promises';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { datasetPartition } from '../schema.ts';
import { downloadLeases, LEASE_PREFIX } from './records.ts';
import { LEASE_MS } from './write-lease.ts';

const LOOK_EVERY_MS = 20;

/**
 * Resolves once no worker of an earlier generation can write another byte. Call it after the generation was
 * raised, before the response: takes milliseconds if the workers live, otherwise until their leases expire.
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
    const older = items.filter((lease) => lease.generation < generation && lease.until > clock.now());
    if (older.length === 0 || clock.now() > giveUpAt) return;
    await sleep(LOOK_EVERY_MS);
  }
}
