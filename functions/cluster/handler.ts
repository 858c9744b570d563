import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { openCluster } from '../../lib/wiring/cluster.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';
import { clusterRoutes } from './routes.ts';

const config = readConfig();
const secrets = await openSecrets(config);
const stores = {
  records: await openRecords(config),
  clock: systemClock,
  protectedNamespaces: config.cluster.protectedNamespaces,
};

async function openPorts() {
  return { ...stores, cluster: await openCluster(config, secrets) };
}

export const handler = serve(clusterRoutes, openPorts, config);
