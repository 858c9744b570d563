import { openQueue } from '../../lib/adapters/queue.ts';
import { openRecords } from '../../lib/adapters/records.ts';
import { openRepositories } from '../../lib/adapters/repositories.ts';
import { openSecrets } from '../../lib/adapters/secrets.ts';
import { workspaceDrops } from '../../lib/choose/workspace-drops.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { gitRoutes } from './routes.ts';

const config = readConfig();
const records = await openRecords(config);
const secrets = await openSecrets(config);

export const handler = serve(
  gitRoutes,
  {
    records,
    indexQueue: await openQueue(config, 'index'),
    ...workspaceDrops(records, await openQueue(config, 'commit')),
    repositories: await openRepositories(config, secrets),
    clock: systemClock,
    workspaceRoots: config.workspaceRoots,
  },
  { ...config, streaming: true },
);
