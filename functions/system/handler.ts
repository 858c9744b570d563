import { openRecords } from '../../lib/adapters/records.ts';
import { openSecrets } from '../../lib/adapters/secrets.ts';
import { defaultProvider, readConfig, withSecrets } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { systemRoutes } from './routes.ts';

const config = readConfig();
const secrets = await openSecrets(config);
const stores = { records: await openRecords(config), clock: systemClock, version: packageFile.version };

async function openPorts() {
  return { ...stores, aiAvailable: defaultProvider(await withSecrets(config, secrets)) !== undefined };
}

export const handler = serve(systemRoutes, openPorts, config);
