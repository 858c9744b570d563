import { useProxies } from '../../lib/adapters/outbound/proxy.ts';
import { openFeishu } from '../../lib/choose/chat-platform.ts';
import { openQueue } from '../../lib/choose/queue.ts';
import { openRecords } from '../../lib/choose/records.ts';
import { openSecrets } from '../../lib/choose/secrets.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { withBotSecrets } from '../../lib/settings/stored-keys.ts';
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
