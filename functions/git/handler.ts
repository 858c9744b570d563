import { useProxies } from '../../lib/adapters/outbound/proxy.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { currentRoots, withSettings } from '../../lib/settings/with-settings.ts';
import { findSelfApproval } from '../../lib/wiring/commands.ts';
import { modelOpener } from '../../lib/wiring/language-model.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { openRepositories } from '../../lib/wiring/repositories.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';
import { gitRoutes } from './routes.ts';

const config = readConfig();
await useProxies(config);
const secrets = await openSecrets(config);

const stores = {
  records: await openRecords(config),
  touchQueue: await openQueue(config, 'touch'),
  repositories: await openRepositories(config, secrets),
  clock: systemClock,
  selfApproval: () => findSelfApproval(config),
  commitEmail: config.codeHost.commitEmail,
};

async function openPorts() {
  const current = await withSettings(config, { ...stores, secrets });
  const { prices } = current;
  return {
    ...stores,
    workspaceRoots: await currentRoots(stores.records, config),
    openModel: modelOpener(current, { ...stores, prices }),
  };
}

export const handler = serve(gitRoutes, openPorts, { ...config, streaming: true });
