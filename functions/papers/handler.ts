import { openPapers } from '../../lib/choose/papers.ts';
import { openQueue } from '../../lib/choose/queue.ts';
import { openRecords } from '../../lib/choose/records.ts';
import { openSecrets } from '../../lib/choose/secrets.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { paperRoutes } from './routes.ts';

const config = readConfig();
const stores = { records: await openRecords(config), clock: systemClock };
const ports = {
  ...stores,
  papers: await openPapers(config, { ...stores, secrets: await openSecrets(config) }),
  touchQueue: await openQueue(config, 'touch'),
};

export const handler = serve(paperRoutes, ports, { ...config, streaming: true });
