import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { openWeb } from '../../lib/wiring/web.ts';
import { skillRoutes } from './routes.ts';

const config = readConfig();

export const handler = serve(
  skillRoutes,
  { records: await openRecords(config), web: await openWeb(config), clock: systemClock },
  config,
);
