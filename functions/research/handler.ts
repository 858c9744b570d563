import { useProxies } from '../../lib/adapters/outbound/proxy.ts';
import { openLanguageModel } from '../../lib/choose/language-model.ts';
import { openQueue } from '../../lib/choose/queue.ts';
import { openRecords } from '../../lib/choose/records.ts';
import { openSecrets } from '../../lib/choose/secrets.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import type { ProviderId } from '../../lib/ports/language-model.ts';
import { withSettings } from '../../lib/settings/with-settings.ts';
import { countedModel } from '../../lib/usage/counted-ports.ts';
import type { Use } from '../../lib/usage/schema.ts';
import { researchRoutes } from './routes.ts';

const config = readConfig();
await useProxies(config);
const stores = {
  clock: systemClock,
  records: await openRecords(config),
  agentQueue: await openQueue(config, 'agent'),
};
const secrets = await openSecrets(config);

async function openPorts() {
  const current = await withSettings(config, { ...stores, secrets });
  const { prices } = current;
  const openModel = (use: Use, choice?: { provider: ProviderId; model: string }) =>
    countedModel(openLanguageModel(current, choice), use, { ...stores, prices });
  return { ...stores, prices, openModel };
}

export const handler = serve(researchRoutes, openPorts, { ...config, streaming: true });
