import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { embeddingSpaceOf } from '../../lib/passages/embedding-space.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { withSettings } from '../../lib/settings/with-settings.ts';
import { openEmbedder } from '../../lib/wiring/embedder.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';
import { indexingRoutes } from './routes.ts';

const config = readConfig();
const secrets = await openSecrets(config);
const stores = {
  records: await openRecords(config),
  indexQueue: await openQueue(config, 'index'),
  clock: systemClock,
};

async function openPorts() {
  return {
    ...stores,
    space: embeddingSpaceOf(openEmbedder(await withSettings(config, { ...stores, secrets }))),
  };
}

export const handler = serve(indexingRoutes, openPorts, config);
