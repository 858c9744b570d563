import { openQueue } from '../../lib/choose/queue.ts';
import { openRecords } from '../../lib/choose/records.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { workspaceRoutes } from './routes.ts';

const config = readConfig();

export const handler = serve(
  workspaceRoutes,
  {
    records: await openRecords(config),
    clock: systemClock,
    commitQueue: await openQueue(config, 'commit'),
    workspaceRoots: config.workspaceRoots,
  },
  config,
);
