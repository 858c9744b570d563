import { openQueue } from '../../lib/adapters/queue.ts';
import { openRecords } from '../../lib/adapters/records.ts';
import { workspaceDrops } from '../../lib/choose/workspace-drops.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { workspaceRoutes } from './routes.ts';

const config = readConfig();
const records = await openRecords(config);

export const handler = serve(
  workspaceRoutes,
  {
    records,
    clock: systemClock,
    ...workspaceDrops(records, await openQueue(config, 'commit')),
    workspaceRoots: config.workspaceRoots,
  },
  config,
);
