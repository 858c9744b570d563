import { findLocalServers } from '../../lib/adapters/openai/local-servers.ts';
import { isModelHost } from '../../lib/adapters/outbound/model-address.ts';
import { useProxies } from '../../lib/adapters/outbound/proxy.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { serverGuard } from '../../lib/settings/stored-keys.ts';
import { listModels } from '../../lib/wiring/models.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';
import { settingsRoutes } from './routes.ts';

const config = readConfig();
await useProxies(config);

export const handler = serve(
  settingsRoutes,
  {
    config,
    records: await openRecords(config),
    secrets: await openSecrets(config),
    clock: systemClock,
    listModels,
    isModelHost: (hostname: string) => isModelHost(hostname, serverGuard(config).policy),
    findLocalServers,
  },
  config,
);
