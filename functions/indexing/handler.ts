import { openEmbedder } from '../../lib/adapters/embedder.ts';
import { openQueue } from '../../lib/adapters/queue.ts';
import { openRecords } from '../../lib/adapters/records.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { spaceOf } from '../../lib/indexing/space.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { indexingRoutes } from './routes.ts';

const config = readConfig();

export const handler = serve(
  indexingRoutes,
  {
    records: openRecords(config),
    indexQueue: openQueue(config, 'index'),
    clock: systemClock,
    space: spaceOf(openEmbedder(config)),
  },
  config,
);
