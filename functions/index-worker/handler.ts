import { SERVICE } from '../../lib/activity/record.ts';
import { useProxies } from '../../lib/adapters/outbound/proxy.ts';
import { readConfig } from '../../lib/config.ts';
import { handleIndexMessage } from '../../lib/indexing/handle-index-message.ts';
import { type IndexMessage, indexMessageSchema } from '../../lib/indexing/messages.ts';
import type { IndexPorts } from '../../lib/indexing/ports.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { serveQueue } from '../../lib/queue/worker.ts';
import { checkQuotes } from '../../lib/quotations/checks/check.ts';
import { withSettings } from '../../lib/settings/with-settings.ts';
import { meteredEmbedder } from '../../lib/usage/metered-ports.ts';
import type { Use } from '../../lib/usage/schema.ts';
import { openEmbedder } from '../../lib/wiring/embedder.ts';
import { openObjects } from '../../lib/wiring/objects.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openRecognizer } from '../../lib/wiring/recognizer.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';
import { openVectorStore } from '../../lib/wiring/vector-store.ts';

/**
 * Maximum rounds for files that continue in further messages, and for the steps of a re-indexing. They last
 * for days, because each takes at least a few seconds.
 */
const MAX_ROUNDS = 100_000;

const config = readConfig();
await useProxies(config);
const secrets = await openSecrets(config);
const stores = {
  records: await openRecords(config),
  objects: await openObjects(config),
  vectors: await openVectorStore(config),
  indexQueue: await openQueue(config, 'index'),
  touchQueue: await openQueue(config, 'touch'),
  commitQueue: await openQueue(config, 'commit'),
  recognizer: await openRecognizer(config),
  clock: systemClock,
};

/**
 * Returns the account for a message's usage. It is the service's own, because by then many users may have
 * requested a sync or changed a file.
 */
function useOf(message: IndexMessage): Use {
  const workspaceId = 'workspaceId' in message ? message.workspaceId : null;
  return { callerId: SERVICE, workspaceId, kind: 'embedding' };
}

export const handler = serveQueue({
  message: indexMessageSchema,
  queues: { index: stores.indexQueue, touch: stores.touchQueue },
  objects: stores.objects,
  async handle(messages, deliveries) {
    const current = await withSettings(config, { ...stores, secrets });
    const embedder = openEmbedder(current);
    const counted = { ...stores, prices: current.prices };
    for (const [index, message] of messages.entries()) {
      const ports: IndexPorts = {
        ...stores,
        embedder: meteredEmbedder(embedder, useOf(message), counted),
        checkQuotes: (workspace, message) => checkQuotes(stores, workspace, message),
      };
      await handleIndexMessage(ports, message, deliveries[index] ?? { messageId: '', receiveCount: 1 });
    }
  },
  maxHops: MAX_ROUNDS,
});
