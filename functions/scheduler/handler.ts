import { openQueue } from '../../lib/adapters/queue.ts';
import { openRecords } from '../../lib/adapters/records.ts';
import { tendRuns } from '../../lib/agent/runs.ts';
import { readConfig } from '../../lib/config.ts';
import { tendDownloads } from '../../lib/datasets/download/tend.ts';
import { failStalledSyncs } from '../../lib/indexing/sync.ts';
import { systemClock } from '../../lib/ports/clock.ts';

const config = readConfig();
const ports = {
  records: await openRecords(config),
  agentQueue: await openQueue(config, 'agent'),
  datasetQueue: await openQueue(config, 'dataset'),
  clock: systemClock,
};

/** The minute tick: finds what is due. Harmless twice in a minute. */
export async function handler(): Promise<void> {
  await Promise.all([failStalledSyncs(ports), tendRuns(ports), tendDownloads(ports)]);
}
