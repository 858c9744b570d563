import { openCommands } from '../../lib/adapters/commands.ts';
import { openQueue } from '../../lib/adapters/queue.ts';
import { openRecords } from '../../lib/adapters/records.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { terminalRoutes } from './routes.ts';

const config = readConfig();

export const handler = serve(
  terminalRoutes,
  {
    records: await openRecords(config),
    indexQueue: await openQueue(config, 'index'),
    commands: await openCommands(config),
    clock: systemClock,
    workspaceRoots: config.workspaceRoots,
  },
  { ...config, streaming: true },
);
