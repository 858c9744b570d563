import type { WecomPorts } from '../adapters/wecom/chat-platform.ts';
import type { Config } from '../config.ts';
import type { ChatPlatform, ChatPlatforms } from '../ports/chat-platform.ts';

type BotConfig = Pick<Config, 'bots'>;

const IMB_BASE_URL = 'https://qyapi.weixin.qq.com';

/** Clients are kept, with their tokens, as long as the settings stay the same. */
const opened = new Map<string, Promise<ChatPlatform>>();

/** The platforms whose bot is on and wholly configured. */
export async function openChatPlatforms(config: BotConfig, ports: WecomPorts): Promise<ChatPlatforms> {
  const [ima, imb] = await Promise.all([openIma(config), openImb(config, ports)]);
  return { ...(ima && { ima }), ...(imb && { imb }) };
}

/** Platform A; undefined when its bot is off or not wholly configured. */
export async function openIma({ bots }: BotConfig): Promise<ChatPlatform | undefined> {
  const app = imaApp(bots);
  if (app === undefined) return undefined;
  const { baseUrl } = bots.ima;
  return keep(`ima ${JSON.stringify([app, baseUrl])}`, async () => {
    const [{ feishuChatPlatform }, { FEISHU_URL, feishuClient }] = await Promise.all([
      import('../adapters/feishu/chat-platform.ts'),
      import('../adapters/feishu/client.ts'),
    ]);
    return feishuChatPlatform(feishuClient({ ...app, baseUrl: baseUrl ?? FEISHU_URL }));
  });
}

/** Platform B, which keeps how far the sending of a text came. */
async function openImb({ bots }: BotConfig, ports: WecomPorts): Promise<ChatPlatform | undefined> {
  const app = imbApp(bots);
  if (app === undefined) return undefined;
  const settings = { ...app, baseUrl: bots.imb.baseUrl ?? IMB_BASE_URL };
  return keep(`imb ${JSON.stringify(settings)}`, async () => {
    const { wecomChatPlatform } = await import('../adapters/wecom/chat-platform.ts');
    return wecomChatPlatform(settings, ports);
  });
}

function keep(key: string, open: () => Promise<ChatPlatform>): Promise<ChatPlatform> {
  const known = opened.get(key) ?? open();
  opened.set(key, known);
  return known;
}

/** The application on Feishu; undefined when the bot is off or not wholly configured. */
export function imaApp({ ima }: Config['bots']) {
  const { enabled, appId, appSecret } = ima;
  return enabled && appId !== undefined && appSecret !== undefined ? { appId, appSecret } : undefined;
}

/** The application on WeCom; undefined when the bot is off or not wholly configured. */
function imbApp({ imb }: Config['bots']) {
  const { enabled, corpId, corpSecret, agentId } = imb;
  if (!enabled || corpId === undefined || corpSecret === undefined || agentId === undefined) return undefined;
  return { corpId, corpSecret, agentId };
}
