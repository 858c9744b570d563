import { openEmbedder } from '../../lib/adapters/embedder.ts';
import { openObjects } from '../../lib/adapters/objects.ts';
import { useProxies } from '../../lib/adapters/proxy.ts';
import { openQueue } from '../../lib/adapters/queue.ts';
import { openRecords } from '../../lib/adapters/records.ts';
import { openSecrets } from '../../lib/adapters/secrets.ts';
import { readConfig } from '../../lib/config.ts';
import { workIndexMessage } from '../../lib/indexing/handle-index-message.ts';
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
  commitQueue: await openQueue(config, 'commit'),
  clock: systemClock,
};

export const handler = serveQueue({
  message: indexMessageSchema,
  objects: stores.objects,
  async handle(messages, deliveries) {
    const ports = { ...stores, embedder: openEmbedder(await withSettings(config, { ...stores, secrets })) };
    for (const [index, message] of messages.entries()) {
      await workIndexMessage(ports, message, deliveries[index] ?? { messageId: '', receiveCount: 1 });
    }
  },
});
