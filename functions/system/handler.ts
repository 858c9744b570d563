import { defaultProvider } from '../../lib/config/models.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { currentRoots, withSettings } from '../../lib/settings/with-settings.ts';
import { networkMeter } from '../../lib/system/network.ts';
import { openHostMetrics } from '../../lib/wiring/host-metrics.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';
import { openDataFolder, openFileSystem } from '../../lib/wiring/storage.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { systemRoutes } from './routes.ts';

const config = readConfig();
const secrets = await openSecrets(config);
const { login, acceptsTokens } = config.auth;
const timed = { records: await openRecords(config), clock: systemClock };
const { version } = packageFile;
const stores = {
  ...timed,
  version,
  login: login && {
    issuer: login.issuer,
    clientId: login.clientId,
    scope: login.scope,
    audience: login.audience,
    acceptsTokens,
  },
  describeFileSystem: openFileSystem(config),
  measureNetwork: networkMeter(),
  measureHost: await openHostMetrics(config, timed, version),
  ...(await openDataFolder(config, timed.records)),
};

async function openPorts() {
  const current = await withSettings(config, { ...stores, secrets });
  const workspaceRoots = await currentRoots(timed.records, config);
  return { ...stores, workspaceRoots, aiAvailable: defaultProvider(current) !== undefined };
}

export const handler = serve(systemRoutes, openPorts, config);
