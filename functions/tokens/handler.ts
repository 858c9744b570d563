import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { tokenRoutes } from './routes.ts';

const config = readConfig();

export const handler = serve(tokenRoutes, { records: await openRecords(config), clock: systemClock }, config);
