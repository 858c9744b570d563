import { openHubs } from '../../lib/choose/hubs.ts';
import { openObjects } from '../../lib/choose/objects.ts';
import { openQueue } from '../../lib/choose/queue.ts';
import { openRecords } from '../../lib/choose/records.ts';
import { openSecrets } from '../../lib/choose/secrets.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { filesChangedIn } from '../../lib/indexing/enqueue.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { withHubTokens } from '../../lib/settings/stored-keys.ts';
import { datasetRoutes } from './routes.ts';

const config = readConfig();
const secrets = await openSecrets(config);
const ports = {
  records: await openRecords(config),
  clock: systemClock,
  objects: await openObjects(config),
  datasetQueue: await openQueue(config, 'dataset'),
  filesChanged: filesChangedIn(await openQueue(config, 'index')),
  datasetsDir: config.datasetsDir,
  workspaceRoots: config.workspaceRoots,
  hubs: async () => openHubs(await withHubTokens(config, secrets)),
};

export const handler = serve(datasetRoutes, ports, { ...config, streaming: true });
