import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { filesChangedIn } from '../../lib/indexing/enqueue.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { withHubTokens } from '../../lib/settings/stored-keys.ts';
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
  workspaceRoots: config.workspaceRoots,
  hubs: async () => openHubs(await withHubTokens(config, secrets)),
};

export const handler = serve(datasetRoutes, ports, { ...config, streaming: true });
