import { useProxies } from '../../lib/adapters/outbound/proxy.ts';
import { openEmbedder } from '../../lib/choose/embedder.ts';
import { openLanguageModel } from '../../lib/choose/language-model.ts';
import { openObjects } from '../../lib/choose/objects.ts';
import { openRecords } from '../../lib/choose/records.ts';
import { openReranker } from '../../lib/choose/reranker.ts';
import { openSecrets } from '../../lib/choose/secrets.ts';
import { openVectors } from '../../lib/choose/vectors.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import type { ProviderId } from '../../lib/ports/language-model.ts';
import { withSettings } from '../../lib/settings/with-settings.ts';
import { countedModel, countedSearch } from '../../lib/usage/counted-ports.ts';
import type { Use } from '../../lib/usage/schema.ts';
import { chatRoutes } from './routes.ts';

const config = readConfig();
await useProxies(config);
const secrets = await openSecrets(config);
const stores = {
  records: await openRecords(config),
  objects: await openObjects(config),
  vectors: await openVectors(config),
  clock: systemClock,
};

async function openPorts() {
  const current = await withSettings(config, { ...stores, secrets });
  const counted = { ...stores, prices: current.prices };
  const services = { embedder: openEmbedder(current), reranker: openReranker(current) };
  return {
    ...stores,
    makesTitles: config.makesTitles,
    attachmentQuotaBytes: config.attachmentQuotaBytes,
    searchFor: (use: Use) => countedSearch({ ...counted, ...services }, use),
    openModel: (use: Use, choice?: { provider: ProviderId; model: string }) =>
      countedModel(openLanguageModel(current, choice), use, counted),
  };
}

export const handler = serve(chatRoutes, openPorts, { ...config, streaming: true });
