import { openRecords } from '../../lib/choose/records.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { currentPrices } from '../../lib/settings/with-settings.ts';
import { activityRoutes } from './routes.ts';

const config = readConfig();

const stores = { records: await openRecords(config), clock: systemClock };

export const handler = serve(
  activityRoutes,
  async () => ({ ...stores, prices: await currentPrices(stores.records) }),
  config,
);
