import { useProxies } from '../../lib/adapters/outbound/proxy.ts';
import { openLanguageModel } from '../../lib/choose/language-model.ts';
import { openObjects } from '../../lib/choose/objects.ts';
import { openRecords } from '../../lib/choose/records.ts';
import { openSecrets } from '../../lib/choose/secrets.ts';
import { openVectors } from '../../lib/choose/vectors.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { withSettings } from '../../lib/settings/with-settings.ts';
import { countedModel } from '../../lib/usage/counted-ports.ts';
import type { Use } from '../../lib/usage/schema.ts';
import { generateRoutes } from './routes.ts';

const config = readConfig();
await useProxies(config);
const stores = {
  clock: systemClock,
  records: await openRecords(config),
  vectors: await openVectors(config),
  objects: await openObjects(config),
};
const secrets = await openSecrets(config);

async function openPorts() {
  const current = await withSettings(config, { ...stores, secrets });
  const { reportTimezone, prices } = current;
  const openModel = (use: Use) => countedModel(openLanguageModel(current), use, { ...stores, prices });
  return { ...stores, reportTimezone, openModel };
}

export const handler = serve(generateRoutes, openPorts, { ...config, streaming: true });
