import { openLanguageModel } from '../../lib/adapters/language-model.ts';
import { openObjects } from '../../lib/adapters/objects.ts';
import { useProxies } from '../../lib/adapters/proxy.ts';
import { openRecords } from '../../lib/adapters/records.ts';
import { openSecrets } from '../../lib/adapters/secrets.ts';
import { openVectors } from '../../lib/adapters/vectors.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { withSettings } from '../../lib/settings/with-settings.ts';
import { generateRoutes } from './routes.ts';

const config = readConfig();
await useProxies(config);
const stores = {
  clock: systemClock,
  records: await openRecords(config),
  vectors: openVectors(config),
  objects: await openObjects(config),
};
const secrets = await openSecrets(config);

async function openPorts() {
  const current = await withSettings(config, { ...stores, secrets });
  const { reportTimezone } = current;
  return { ...stores, reportTimezone, openModel: () => openLanguageModel(current) };
}

export const handler = serve(generateRoutes, openPorts, { ...config, streaming: true });
