import { useProxies } from '../../lib/adapters/outbound/proxy.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { withBotSecrets } from '../../lib/settings/stored-keys.ts';
import { openFeishu } from '../../lib/wiring/chat-platform.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';
import { botRoutes } from './routes.ts';

const config = readConfig();
await useProxies(config);
const secrets = await openSecrets(config);
const stores = {
  records: await openRecords(config),
  botQueue: await openQueue(config, 'bot'),
  clock: systemClock,
};

export const handler = serve(
  botRoutes,
  async () => {
    const { bots } = await withBotSecrets(config, secrets);
    return { ...stores, bots, openFeishu: () => openFeishu({ bots }) };
  },
  config,
);
