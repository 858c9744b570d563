import { useProxies } from '../../lib/adapters/outbound/proxy.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { withSettings } from '../../lib/settings/with-settings.ts';
import { meteredSearch } from '../../lib/usage/metered-ports.ts';
import type { Use } from '../../lib/usage/schema.ts';
import { modelOpener } from '../../lib/wiring/language-model.ts';
import { openObjects } from '../../lib/wiring/objects.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { openSearchServices } from '../../lib/wiring/search-services.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';
import { openVectors } from '../../lib/wiring/vectors.ts';
import { openWeb } from '../../lib/wiring/web.ts';
import { openWebSearch } from '../../lib/wiring/web-search.ts';
import { openaiRoutes } from './openai-routes.ts';
import { chatRoutes } from './routes.ts';

const config = readConfig();
await useProxies(config);
const secrets = await openSecrets(config);
const stores = {
  records: await openRecords(config),
  objects: await openObjects(config),
  vectors: await openVectors(config),
  clock: systemClock,
  touchQueue: await openQueue(config, 'touch'),
  web: await openWeb(config),
};

async function openPorts() {
  const current = await withSettings(config, { ...stores, secrets });
  const counted = { ...stores, prices: current.prices };
  const services = openSearchServices(current);
  return {
    ...stores,
    publicUrl: config.publicUrl,
    makesTitles: config.makesTitles,
    judgesCitations: current.judgesCitations,
    attachmentQuotaBytes: config.attachmentQuotaBytes,
    searchFor: (use: Use) => meteredSearch({ ...counted, ...services }, use),
    webFor: openWebSearch(current.chosenWebSearch, { ...stores, secrets })?.webFor,
    openModel: modelOpener(current, counted),
  };
}

export const handler = serve([...chatRoutes, ...openaiRoutes], openPorts, { ...config, streaming: true });
