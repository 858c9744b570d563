import { useProxies } from '../../lib/adapters/outbound/proxy.ts';
import { openEmbedder } from '../../lib/choose/embedder.ts';
import { openObjects } from '../../lib/choose/objects.ts';
import { openQueue } from '../../lib/choose/queue.ts';
import { openRecords } from '../../lib/choose/records.ts';
import { openSecrets } from '../../lib/choose/secrets.ts';
import { readConfig } from '../../lib/config.ts';
import { handleIndexMessage } from '../../lib/indexing/handle-index-message.ts';
import { indexMessageSchema } from '../../lib/indexing/messages.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { serveQueue } from '../../lib/queue/worker.ts';
import { withSettings } from '../../lib/settings/with-settings.ts';

const config = readConfig();
await useProxies(config);
const secrets = await openSecrets(config);
const stores = {
  records: await openRecords(config),
  objects: await openObjects(config),
  indexQueue: await openQueue(config, 'index'),
  touchQueue: await openQueue(config, 'touch'),
  commitQueue: await openQueue(config, 'commit'),
  clock: systemClock,
};

export const handler = serveQueue({
  message: indexMessageSchema,
  queues: { index: stores.indexQueue, touch: stores.touchQueue },
  objects: stores.objects,
  async handle(messages, deliveries) {
    const ports = { ...stores, embedder: openEmbedder(await withSettings(config, { ...stores, secrets })) };
    for (const [index, message] of messages.entries()) {
      await handleIndexMessage(ports, message, deliveries[index] ?? { messageId: '', receiveCount: 1 });
    }
  },
});
