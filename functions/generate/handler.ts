import { useProxies } from '../../lib/adapters/outbound/proxy.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { withSettings } from '../../lib/settings/with-settings.ts';
import { modelOpener } from '../../lib/wiring/language-model.ts';
import { openObjects } from '../../lib/wiring/objects.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';
import { openVectors } from '../../lib/wiring/vectors.ts';
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
  return { ...stores, reportTimezone, openModel: modelOpener(current, { ...stores, prices }) };
}

export const handler = serve(generateRoutes, openPorts, { ...config, streaming: true });
