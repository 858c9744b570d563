import { openCommands } from '../../lib/choose/commands.ts';
import { openQueue } from '../../lib/choose/queue.ts';
import { openRecords } from '../../lib/choose/records.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { terminalRoutes } from './routes.ts';

const config = readConfig();

export const handler = serve(
  terminalRoutes,
  {
    records: await openRecords(config),
    touchQueue: await openQueue(config, 'touch'),
    commands: await openCommands(config),
    clock: systemClock,
    workspaceRoots: config.workspaceRoots,
  },
  { ...config, streaming: true },
);
