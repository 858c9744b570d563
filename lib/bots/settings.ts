import type { Config } from '../config.ts';
import { NotConfigured } from '../errors.ts';
import type { ImaSecrets } from './ima/callback.ts';
import type { ImbKeys } from './imb/crypto.ts';

type Bots = Config['bots'];

/** Throws NotConfigured that names what is to be set. */
export function requireImaApp({ ima }: Bots): void {
  if (!ima.enabled) throw new NotConfigured('the bot is off: set IMA_BOT_ENABLED to true');
  required(ima.appId, 'IMA_APP_ID');
  required(ima.appSecret, 'IMA_APP_SECRET');
}

/** What the platform's callbacks are checked by. Throws NotConfigured. */
export function requireImaSecrets(bots: Bots): ImaSecrets {
  requireImaApp(bots);
  const { verificationToken, encryptKey } = bots.ima;
  return { verificationToken: required(verificationToken, 'IMA_VERIFICATION_TOKEN'), encryptKey };
}

/** Throws NotConfigured. */
export function required<Value>(value: Value | undefined, variable: string): Value {
  if (value === undefined) throw new NotConfigured(`${variable} is not set`);
  return value;
}

/** What the platform's callbacks are checked by. Throws NotConfigured, also for what only the answers need. */
export function requireImbKeys({ imb }: Bots): ImbKeys {
  if (!imb.enabled) throw new NotConfigured('the bot is off: set IMB_BOT_ENABLED to true');
  required(imb.corpSecret, 'IMB_CORP_SECRET');
  required(imb.agentId, 'IMB_AGENT_ID');
  return {
    corpId: required(imb.corpId, 'IMB_CORP_ID'),
    token: required(imb.token, 'IMB_TOKEN'),
    encodingAesKey: checkAesKey(required(imb.encodingAesKey, 'IMB_ENCODING_AES_KEY')),
  };
}

/** One from the secret store was not looked at before. */
function checkAesKey(key: string): string {
  if (/^[A-Za-z0-9]{43}$/.test(key)) return key;
  throw new NotConfigured('IMB_ENCODING_AES_KEY must be the 43 characters that the platform shows');
}
