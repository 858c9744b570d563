import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { memoryRoutes } from './memory-routes.ts';
import { noteRoutes } from './routes.ts';

const config = readConfig();

export const handler = serve(
  [...noteRoutes, ...memoryRoutes],
  { records: await openRecords(config), clock: systemClock },
  config,
);
