import { takeFeishuEvent } from '../../lib/bots/feishu/take-event.ts';
import type { Config } from '../../lib/config.ts';
import { log } from '../../lib/log.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { withBotSecrets } from '../../lib/settings/stored-keys.ts';
import { feishuApp } from '../../lib/wiring/chat-platform.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';

/**
 * With IMA_CONNECTION=websocket, Feishu's events arrive over a connection that this host opens, and are handled like
 * webhook events. Returns a function that closes the connection.
 */
export async function openFeishuConnection(config: Config): Promise<() => void> {
  const { feishu } = config.bots;
  if (!feishu.enabled || feishu.connection !== 'websocket') return () => {};
  const app = feishuApp((await withBotSecrets(config, await openSecrets(config))).bots);
  if (app === undefined) {
    log.error('IMA_CONNECTION=websocket needs IMA_APP_ID and IMA_APP_SECRET');
    return () => {};
  }
  const [{ openFeishuConnection }, { FEISHU_URL }] = await Promise.all([
    import('../../lib/adapters/feishu/connection.ts'),
    import('../../lib/adapters/feishu/client.ts'),
  ]);
  const ports = {
    records: await openRecords(config),
    botQueue: await openQueue(config, 'bot'),
    clock: systemClock,
  };
  const settings = { ...app, baseUrl: feishu.baseUrl ?? FEISHU_URL, proxy: config.proxy };
  return openFeishuConnection(settings, (event) => takeFeishuEvent(ports, event)).catch((error: unknown) => {
    log.error('failed to connect to Feishu', {}, error);
    return () => {};
  });
}
