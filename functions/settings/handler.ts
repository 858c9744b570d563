import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';
import { settingsRoutes } from './routes.ts';

const config = readConfig();

export const handler = serve(
  settingsRoutes,
  {
    config,
    records: await openRecords(config),
    secrets: await openSecrets(config),
    clock: systemClock,
  },
  config,
);
