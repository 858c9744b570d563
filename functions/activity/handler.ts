import type { Caller } from '../../lib/access/caller.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { currentPrices } from '../../lib/settings/with-settings.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { rolesIn as rolesInWorkspaces } from '../../lib/workspaces/access.ts';
import { activityRoutes } from './routes.ts';

const config = readConfig();

const rolesIn = (caller: Caller) => rolesInWorkspaces(stores.records, caller);
const stores = { records: await openRecords(config), clock: systemClock };

export const handler = serve(
  activityRoutes,
  async () => ({ ...stores, rolesIn, prices: await currentPrices(stores.records, config) }),
  config,
);
