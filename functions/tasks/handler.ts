import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { openFileSources } from '../../lib/wiring/file-source.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';
import { taskRoutes } from './routes.ts';
import { sourceRoutes } from './source-routes.ts';

const config = readConfig();

export const handler = serve(
  [...taskRoutes, ...sourceRoutes],
  {
    records: await openRecords(config),
    taskQueue: await openQueue(config, 'task'),
    clock: systemClock,
    secrets: await openSecrets(config),
    ...openFileSources(config),
  },
  config,
);
