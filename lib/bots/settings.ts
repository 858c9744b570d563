import type { Config } from '../config.ts';
import { NotConfigured } from '../errors.ts';
import type { ImaSecrets } from './ima/callback.ts';

type Bots = Config['bots'];

/** The application on platform A; undefined when the bot is off or not wholly configured. */
export function imaApp({ ima }: Bots): { appId: string; appSecret: string } | undefined {
  const { enabled, appId, appSecret } = ima;
  return enabled && appId !== undefined && appSecret !== undefined ? { appId, appSecret } : undefined;
}

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
