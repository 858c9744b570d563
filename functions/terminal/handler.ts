import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { currentRoots } from '../../lib/settings/with-settings.ts';
import { sessionStore } from '../../lib/terminal/sessions.ts';
import { meteredCommands } from '../../lib/usage/metered-ports.ts';
import type { Use } from '../../lib/usage/schema.ts';
import { openCommands, openTerminals } from '../../lib/wiring/commands.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { terminalRoutes } from './routes.ts';
import { sessionRoutes } from './session-routes.ts';

const config = readConfig();

const commands = await openCommands(config);
const stores = {
  records: await openRecords(config),
  touchQueue: await openQueue(config, 'touch'),
  clock: systemClock,
};
const commandsFor = (use: Use) => meteredCommands(commands, use, stores);
const ports = {
  ...stores,
  commandsFor,
  terminals: await openTerminals(config),
  sessions: sessionStore(),
};
const openPorts = async () => ({
  ...ports,
  workspaceRoots: await currentRoots(stores.records, config),
});

export const handler = serve([...terminalRoutes, ...sessionRoutes], openPorts, {
  ...config,
  streaming: true,
});
