import { openPapers } from '../../lib/choose/papers.ts';
import { openRecords } from '../../lib/choose/records.ts';
import { openSecrets } from '../../lib/choose/secrets.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { paperRoutes } from './routes.ts';

const config = readConfig();
const stores = { records: await openRecords(config), clock: systemClock };
const papers = await openPapers(config, { ...stores, secrets: await openSecrets(config) });

export const handler = serve(paperRoutes, { ...stores, papers }, { ...config, streaming: true });
