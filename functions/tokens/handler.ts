import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { offboardingRoutes } from './offboarding-routes.ts';
import { tokenRoutes } from './routes.ts';

const config = readConfig();

const ports = {
  records: await openRecords(config),
  agentQueue: await openQueue(config, 'agent'),
  clock: systemClock,
};

export const handler = serve([...tokenRoutes, ...offboardingRoutes], ports, config);
