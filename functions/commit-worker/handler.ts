import { readConfig } from '../../lib/config.ts';
import { commitMessages } from '../../lib/indexing/commit/commit.ts';
import { commitMessageSchema } from '../../lib/indexing/messages.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { serveQueue } from '../../lib/queue/worker.ts';
import { openObjects } from '../../lib/wiring/objects.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { openVectors } from '../../lib/wiring/vectors.ts';

/** Maximum rounds. As many as in the index worker, because files that it reads again are sent here again. */
const MAX_ROUNDS = 100_000;

const config = readConfig();
const ports = {
  records: await openRecords(config),
  objects: await openObjects(config),
  vectors: await openVectors(config),
  indexQueue: await openQueue(config, 'index'),
  touchQueue: await openQueue(config, 'touch'),
  maintainQueue: await openQueue(config, 'maintain'),
  clock: systemClock,
};

export const handler = serveQueue({
  message: commitMessageSchema,
  queues: { commit: await openQueue(config, 'commit') },
  objects: ports.objects,
  handle: (messages) => commitMessages(ports, messages),
  maxHops: MAX_ROUNDS,
});
