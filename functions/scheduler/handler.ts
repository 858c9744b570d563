import { openRecords } from '../../lib/adapters/records.ts';
import { readConfig } from '../../lib/config.ts';
import { failStalledSyncs } from '../../lib/indexing/sync.ts';
import { systemClock } from '../../lib/ports/clock.ts';

const ports = { records: await openRecords(readConfig()), clock: systemClock };

/** The minute tick: finds what is due. Harmless twice in a minute. */
export async function handler(): Promise<void> {
  await failStalledSyncs(ports);
}
