import type { BotPorts } from '../bots/ports.ts';
import { imaApp } from '../bots/settings.ts';
import type { Config } from '../config.ts';
import type { ChatPlatform } from '../ports/chat-platform.ts';

type BotConfig = Pick<Config, 'bots'>;

const IMA_BASE_URL = 'https://open.feishu.cn';

/** Clients are kept, with their tokens, as long as the settings stay the same. */
const opened = new Map<string, Promise<ChatPlatform>>();

/** The platforms whose bot is on and wholly configured. */
export async function openChatPlatforms(config: BotConfig): Promise<BotPorts['platforms']> {
  const ima = await openIma(config);
  return { ...(ima && { ima }) };
}

/** Platform A; undefined when its bot is off or not wholly configured. */
export async function openIma({ bots }: BotConfig): Promise<ChatPlatform | undefined> {
  const app = imaApp(bots);
  if (app === undefined) return undefined;
  const settings = { ...app, baseUrl: bots.ima.baseUrl ?? IMA_BASE_URL };
  return keep(`ima ${JSON.stringify(settings)}`, async () => {
    const [{ feishuChatPlatform }, { feishuClient }] = await Promise.all([
      import('./feishu/chat-platform.ts'),
      import('./feishu/client.ts'),
    ]);
    return feishuChatPlatform(feishuClient(settings));
  });
}

function keep(key: string, open: () => Promise<ChatPlatform>): Promise<ChatPlatform> {
  const known = opened.get(key) ?? open();
  opened.set(key, known);
  return known;
}
