import { openEmbedder } from '../../lib/adapters/embedder.ts';
import { openObjects } from '../../lib/adapters/objects.ts';
import { openQueue } from '../../lib/adapters/queue.ts';
import { openRecords } from '../../lib/adapters/records.ts';
import { readConfig } from '../../lib/config.ts';
import { indexMessageSchema } from '../../lib/indexing/messages.ts';
import { workIndexMessage } from '../../lib/indexing/work.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { serveQueue } from '../../lib/queue/worker.ts';

const config = readConfig();
const ports = {
  records: openRecords(config),
  objects: openObjects(config),
  indexQueue: openQueue(config, 'index'),
  commitQueue: openQueue(config, 'commit'),
  embedder: openEmbedder(config),
  clock: systemClock,
};

export const handler = serveQueue({
  message: indexMessageSchema,
  async handle(messages, deliveries) {
    for (const [index, message] of messages.entries()) {
      await workIndexMessage(ports, message, deliveries[index] ?? { messageId: '', receiveCount: 1 });
    }
  },
});
