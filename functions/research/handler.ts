import { useProxies } from '../../lib/adapters/outbound/proxy.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { withSettings } from '../../lib/settings/with-settings.ts';
import { modelOpener } from '../../lib/wiring/language-model.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';
import { evidenceRoutes } from './evidence-routes.ts';
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
  return {
    ...stores,
    prices,
    openModel: modelOpener(current, { ...stores, prices }),
  };
}

export const handler = serve([...researchRoutes, ...evidenceRoutes], openPorts, {
  ...config,
  streaming: true,
});
