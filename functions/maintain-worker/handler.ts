import { readConfig } from '../../lib/config.ts';
import { maintainTable } from '../../lib/indexing/commit/maintain.ts';
import { maintainMessageSchema } from '../../lib/indexing/messages.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { serveQueue } from '../../lib/queue/worker.ts';
import { openObjects } from '../../lib/wiring/objects.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { openVectors } from '../../lib/wiring/vectors.ts';

const config = readConfig();
const ports = {
  records: await openRecords(config),
  objects: await openObjects(config),
  vectors: await openVectors(config),
  clock: systemClock,
};

export const handler = serveQueue({
  message: maintainMessageSchema,
  queues: { maintain: await openQueue(config, 'maintain') },
  async handle(messages) {
    for (const message of messages) await maintainTable(ports, message);
  },
});
