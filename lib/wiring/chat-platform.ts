import type { WecomPorts } from '../adapters/wecom/chat-platform.ts';
import type { Config } from '../config.ts';
import type { ChatPlatform, ChatPlatforms } from '../ports/chat-platform.ts';

type BotConfig = Pick<Config, 'bots'>;

const WECOM_URL = 'https://qyapi.weixin.qq.com';

/** Clients, with their tokens, cached while the settings are unchanged. */
const opened = new Map<string, Promise<ChatPlatform>>();

/** Opens the platforms whose bot is enabled and fully configured. */
export async function openChatPlatforms(config: BotConfig, ports: WecomPorts): Promise<ChatPlatforms> {
  const [feishu, wecom] = await Promise.all([openFeishu(config), openWecom(config, ports)]);
  return { ...(feishu && { ima: feishu }), ...(wecom && { imb: wecom }) };
}

/** Opens Feishu; undefined if its bot is disabled or not fully configured. */
export async function openFeishu({ bots }: BotConfig): Promise<ChatPlatform | undefined> {
  const app = feishuApp(bots);
  if (app === undefined) return undefined;
  const { baseUrl } = bots.feishu;
  return openOnce(`feishu ${JSON.stringify([app, baseUrl])}`, async () => {
    const [{ feishuChatPlatform }, { FEISHU_URL, feishuClient }] = await Promise.all([
      import('../adapters/feishu/chat-platform.ts'),
      import('../adapters/feishu/client.ts'),
    ]);
    return feishuChatPlatform(feishuClient({ ...app, baseUrl: baseUrl ?? FEISHU_URL }));
  });
}

/** Opens WeCom, for which the service must store how much of a text was sent. */
async function openWecom({ bots }: BotConfig, ports: WecomPorts): Promise<ChatPlatform | undefined> {
  const settings = wecomSettings(bots);
  if (settings === undefined) return undefined;
  return openOnce(`wecom ${JSON.stringify(settings)}`, async () => {
    const { wecomChatPlatform } = await import('../adapters/wecom/chat-platform.ts');
    return wecomChatPlatform(settings, ports);
  });
}

function openOnce(key: string, open: () => Promise<ChatPlatform>): Promise<ChatPlatform> {
  const known = opened.get(key) ?? open();
  opened.set(key, known);
  return known;
}

type TokenRequest = (signal: AbortSignal) => Promise<unknown>;

/**
 * Returns functions that request a new token with the credentials of the enabled, complete bots, keyed like the
 * platforms. They throw the errors of the platform clients.
 */
export function botTokenRequests({ bots }: BotConfig): Partial<Record<keyof ChatPlatforms, TokenRequest>> {
  const [feishu, wecom] = [feishuApp(bots), wecomSettings(bots)];
  const ima: TokenRequest | undefined =
    feishu &&
    (async (signal) => {
      const { FEISHU_URL, requestFeishuToken } = await import('../adapters/feishu/client.ts');
      return requestFeishuToken({ ...feishu, baseUrl: bots.feishu.baseUrl ?? FEISHU_URL }, signal);
    });
  const imb: TokenRequest | undefined =
    wecom &&
    (async (signal) => (await import('../adapters/wecom/client.ts')).requestWecomToken(wecom, signal));
  return { ...(ima && { ima }), ...(imb && { imb }) };
}

/** Returns the application on Feishu; undefined if the bot is disabled or not fully configured. */
export function feishuApp({ feishu }: Config['bots']) {
  const { enabled, appId, appSecret } = feishu;
  return enabled && appId !== undefined && appSecret !== undefined ? { appId, appSecret } : undefined;
}

/** Returns the application on WeCom; undefined if the bot is disabled or not fully configured. */
function wecomSettings({ wecom }: Config['bots']) {
  const { enabled, corpId, corpSecret, agentId, baseUrl = WECOM_URL } = wecom;
  if (!enabled || corpId === undefined || corpSecret === undefined || agentId === undefined) return undefined;
  return { corpId, corpSecret, agentId, baseUrl };
}
