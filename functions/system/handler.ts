import { openRecords } from '../../lib/adapters/records.ts';
import { defaultProvider, readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { systemRoutes } from './routes.ts';

const config = readConfig();

export const handler = serve(
  systemRoutes,
  {
    records: openRecords(config),
    clock: systemClock,
    version: packageFile.version,
    aiAvailable: defaultProvider(config) !== undefined,
  },
  config,
);
