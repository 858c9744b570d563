import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { type OpenedAgent, openAgent } from '../../lib/wiring/agent.ts';
import { agentRoutes } from './routes.ts';
import { verifyRoutes } from './verify-routes.ts';

const config = readConfig();

export const handler = serve<OpenedAgent>([...agentRoutes, ...verifyRoutes], await openAgent(config), {
  ...config,
  streaming: true,
});
