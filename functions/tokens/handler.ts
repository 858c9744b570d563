import { readConfig } from '../../lib/config.ts';
import type { Route } from '../../lib/http/route.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { offboardingRoutes } from './offboarding-routes.ts';
import { tokenRoutes } from './routes.ts';

const config = readConfig();

const { mode, acceptsTokens } = config.auth;

const ports = {
  records: await openRecords(config),
  agentQueue: await openQueue(config, 'agent'),
  clock: systemClock,
  // Without sign-in, tokens can be created in advance.
  acceptsTokens: acceptsTokens || mode === 'disabled',
};

const routes: Route<typeof ports>[] = [...tokenRoutes, ...offboardingRoutes];

export const handler = serve(routes, ports, config);
