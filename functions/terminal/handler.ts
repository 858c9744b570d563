import { openCommands } from '../../lib/choose/commands.ts';
import { openQueue } from '../../lib/choose/queue.ts';
import { openRecords } from '../../lib/choose/records.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { countedCommands } from '../../lib/usage/counted-ports.ts';
import type { Use } from '../../lib/usage/schema.ts';
import { terminalRoutes } from './routes.ts';

const config = readConfig();

const commands = await openCommands(config);
const stores = {
  records: await openRecords(config),
  touchQueue: await openQueue(config, 'touch'),
  clock: systemClock,
};
const commandsFor = (use: Use) => countedCommands(commands, use, stores);
const ports = { ...stores, commandsFor, workspaceRoots: config.workspaceRoots };

export const handler = serve(terminalRoutes, ports, { ...config, streaming: true });
