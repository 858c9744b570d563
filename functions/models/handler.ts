import { useProxies } from '../../lib/adapters/outbound/proxy.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import type { ProviderId } from '../../lib/ports/language-model.ts';
import { capabilitiesOf } from '../../lib/settings/model-checks.ts';
import { withSettings } from '../../lib/settings/with-settings.ts';
import { defaultModelAt } from '../../lib/wiring/language-model.ts';
import { listModels } from '../../lib/wiring/models.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';
import { modelRoutes } from './routes.ts';

const config = readConfig();
await useProxies(config);
const secrets = await openSecrets(config);
const stores = { records: await openRecords(config), clock: systemClock };

async function openPorts() {
  const current = await withSettings(config, { ...stores, secrets });
  return {
    ...stores,
    listModels: (provider: ProviderId | undefined) => listModels(current, provider),
    capabilitiesOf: (provider: ProviderId, model: string) => capabilitiesOf(current, provider, model),
    defaultModelAt: (provider: ProviderId) => defaultModelAt(current, provider),
  };
}

export const handler = serve(modelRoutes, openPorts, config);
