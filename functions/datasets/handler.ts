import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { filesChangedIn } from '../../lib/indexing/enqueue.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { withHubTokens } from '../../lib/settings/stored-keys.ts';
import { currentRoots } from '../../lib/settings/with-settings.ts';
import { openHubs } from '../../lib/wiring/hubs.ts';
import { openObjects } from '../../lib/wiring/objects.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';
import { datasetRoutes } from './routes.ts';

const config = readConfig();
const records = await openRecords(config);
const secrets = await openSecrets(config);
const ports = {
  records,
  clock: systemClock,
  objects: await openObjects(config),
  datasetQueue: await openQueue(config, 'dataset'),
  filesChanged: filesChangedIn({ records, queue: await openQueue(config, 'index'), clock: systemClock }),
  datasetsDir: config.datasetsDir,
  hubs: async () => openHubs(await withHubTokens(config, secrets)),
};

const openPorts = async () => ({ ...ports, workspaceRoots: await currentRoots(records, config) });

export const handler = serve(datasetRoutes, openPorts, { ...config, streaming: true });
