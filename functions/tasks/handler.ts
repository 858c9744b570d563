import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { taskRoutes } from './routes.ts';

const config = readConfig();

export const handler = serve(
  taskRoutes,
  { records: await openRecords(config), taskQueue: await openQueue(config, 'task'), clock: systemClock },
  config,
);
