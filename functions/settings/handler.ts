import { findLocalServers } from '../../lib/adapters/openai/local-servers.ts';
import { isModelHost } from '../../lib/adapters/outbound/model-address.ts';
import { useProxies } from '../../lib/adapters/outbound/proxy.ts';
import { readConfig } from '../../lib/config.ts';
import type { Route } from '../../lib/http/route.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import type { ProviderId } from '../../lib/ports/language-model.ts';
import { defaultCapabilities } from '../../lib/settings/model-checks.ts';
import { serverGuard } from '../../lib/settings/stored-keys.ts';
import type { CurrentConfig } from '../../lib/settings/with-settings.ts';
import { findSelfApproval } from '../../lib/wiring/commands.ts';
import { openCheckedModel } from '../../lib/wiring/language-model.ts';
import { listModels, readDefaultWindow } from '../../lib/wiring/models.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';
import { type SettingsRoutePorts, settingsRoutes } from './routes.ts';
import { type WebhookRoutePorts, webhookRoutes } from './webhook-routes.ts';

const config = readConfig();
await useProxies(config);
const stores = { records: await openRecords(config), clock: systemClock };

const routes: Route<SettingsRoutePorts & WebhookRoutePorts>[] = [...settingsRoutes, ...webhookRoutes];

export const handler = serve(
  routes,
  {
    config,
    ...stores,
    secrets: await openSecrets(config),
    agentQueue: await openQueue(config, 'agent'),
    listModels,
    readWindow: readDefaultWindow,
    knownCapabilities: defaultCapabilities,
    isModelHost: (hostname: string) => isModelHost(hostname, serverGuard(config).policy),
    findLocalServers,
    selfApproval: () => findSelfApproval(config),
    openChecked: (current: CurrentConfig, callerId: string, provider: ProviderId, model: string) => {
      const use = { callerId, workspaceId: null, kind: 'chat' as const };
      return openCheckedModel(current, { ...stores, prices: current.prices }, use, { provider, model });
    },
  },
  config,
);
