import { readConfig } from '../../lib/config.ts';
import { datasetMessageSchema } from '../../lib/datasets/schema.ts';
import { endDatasetWork, handleDatasetMessage } from '../../lib/datasets/steps/handle-dataset-message.ts';
import { filesChangedIn } from '../../lib/indexing/enqueue.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { serveQueue } from '../../lib/queue/worker.ts';
import { withHubTokens } from '../../lib/settings/stored-keys.ts';
import { openHubs } from '../../lib/wiring/hubs.ts';
import { openObjects } from '../../lib/wiring/objects.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';

/** Milliseconds: the function's 15 minutes, minus the time before the work starts and after its deadline. */
const TIME_MS = 14 * 60_000;

/** Maximum rounds. A round is 14 minutes of work on one part, or a delay that the hub requests. */
const MAX_ROUNDS = 5000;

const config = readConfig();
const records = await openRecords(config);
const secrets = await openSecrets(config);
const objects = await openObjects(config);
const ports = {
  records,
  clock: systemClock,
  objects,
  datasetQueue: await openQueue(config, 'dataset'),
  filesChanged: filesChangedIn({ records, queue: await openQueue(config, 'index'), clock: systemClock }),
  datasetsDir: config.datasetsDir,
};

export const handler = serveQueue({
  message: datasetMessageSchema,
  queues: { dataset: ports.datasetQueue },
  objects,
  async handle(messages) {
    const hubs = openHubs(await withHubTokens(config, secrets));
    for (const message of messages) await handleDatasetMessage({ ...ports, hubs }, message, TIME_MS);
  },
  maxHops: MAX_ROUNDS,
  endChain: (message) => endDatasetWork(ports, message, `it needed more than ${MAX_ROUNDS} rounds`),
});
