import { answerMcp } from '../../lib/adapters/mcp/server.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { filesChangedIn } from '../../lib/indexing/enqueue.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { openAgent } from '../../lib/wiring/agent.ts';
import { openMcpRemote } from '../../lib/wiring/mcp-remote.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { mcpRoutes } from './routes.ts';

const config = readConfig();
const openPorts = await openAgent(config);
const fixed = {
  secrets: await openSecrets(config),
  remote: await openMcpRemote(config),
  answerMcp,
  version: packageFile.version,
  filesChanged: filesChangedIn({
    records: await openRecords(config),
    queue: await openQueue(config, 'touch'),
    clock: systemClock,
  }),
  // Without sign-in, the authorizer accepts only a loopback name and its own origin (lib/tokens/authorize.ts).
  origins: config.auth.mode === 'disabled' ? null : config,
};

export const handler = serve(mcpRoutes, async () => ({ ...(await openPorts()), ...fixed }), {
  ...config,
  streaming: true,
});
