import type { Config } from '../config.ts';
import { NotConfigured } from '../errors.ts';
import type { FeishuSecrets } from './feishu/callback.ts';
import type { WecomKeys } from './wecom/crypto.ts';

type Bots = Config['bots'];

/** Throws NotConfigured with the names of the missing variables. */
export function requireFeishuApp({ feishu }: Bots): void {
  if (!feishu.enabled)
    throw new NotConfigured('bot_not_configured', 'The Feishu bot is disabled. Set IMA_BOT_ENABLED to true.');
  required(feishu.appId, 'IMA_APP_ID');
  required(feishu.appSecret, 'IMA_APP_SECRET');
}

/** Returns the secrets that verify Feishu's callbacks. Throws NotConfigured. */
export function requireFeishuSecrets(bots: Bots): FeishuSecrets {
  requireFeishuApp(bots);
  const { verificationToken, encryptKey } = bots.feishu;
  return { verificationToken: required(verificationToken, 'IMA_VERIFICATION_TOKEN'), encryptKey };
}

/** Throws NotConfigured. */
export function required<Value>(value: Value | undefined, variable: string): Value {
  if (value === undefined) throw new NotConfigured('bot_not_configured', `${variable} is not set.`);
  return value;
}

/** Returns the keys that verify WeCom's callbacks. Throws NotConfigured, also for settings that only replies need. */
export function requireWecomKeys({ wecom }: Bots): WecomKeys {
  if (!wecom.enabled)
    throw new NotConfigured('bot_not_configured', 'The WeCom bot is disabled. Set IMB_BOT_ENABLED to true.');
  required(wecom.corpSecret, 'IMB_CORP_SECRET');
  required(wecom.agentId, 'IMB_AGENT_ID');
  return {
    corpId: required(wecom.corpId, 'IMB_CORP_ID'),
    token: required(wecom.token, 'IMB_TOKEN'),
    encodingAesKey: checkAesKey(required(wecom.encodingAesKey, 'IMB_ENCODING_AES_KEY')),
  };
}

/** Checks a key from the secret store, which no other code has validated. */
function checkAesKey(key: string): string {
  if (/^[A-Za-z0-9]{43}$/.test(key)) return key;
  throw new NotConfigured(
    'bot_not_configured',
    'IMB_ENCODING_AES_KEY must be the 43 characters that WeCom shows.',
  );
}
