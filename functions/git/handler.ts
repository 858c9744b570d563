import { openQueue } from '../../lib/choose/queue.ts';
import { openRecords } from '../../lib/choose/records.ts';
import { openRepositories } from '../../lib/choose/repositories.ts';
import { openSecrets } from '../../lib/choose/secrets.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { gitRoutes } from './routes.ts';

const config = readConfig();
const secrets = await openSecrets(config);

export const handler = serve(
  gitRoutes,
  {
    records: await openRecords(config),
    touchQueue: await openQueue(config, 'touch'),
    repositories: await openRepositories(config, secrets),
    clock: systemClock,
    workspaceRoots: config.workspaceRoots,
  },
  { ...config, streaming: true },
);
