import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { openAgent } from '../../lib/wiring/agent.ts';
import { agentRoutes } from './routes.ts';

const config = readConfig();

export const handler = serve(agentRoutes, await openAgent(config), { ...config, streaming: true });
