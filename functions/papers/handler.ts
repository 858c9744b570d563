import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { openPapers } from '../../lib/wiring/papers.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';
import { paperRoutes } from './routes.ts';

const config = readConfig();
const stores = { records: await openRecords(config), clock: systemClock };
const ports = {
  ...stores,
  papers: await openPapers(config, { ...stores, secrets: await openSecrets(config) }),
  touchQueue: await openQueue(config, 'touch'),
};

export const handler = serve(paperRoutes, ports, { ...config, streaming: true });
