import * as z from 'zod';
import { baseUrl, choice, key } from './values.ts';

/** Variables of the environment, with a check and a default. */
export const botsVariables = {
  IMA_BOT_ENABLED: choice(['true', 'false']).default('false'),
  IMA_CONNECTION: choice(['webhook', 'websocket']).default('webhook'),
  IMA_BASE_URL: baseUrl().optional(),
  IMA_APP_ID: z.string().trim().optional(),
  IMA_APP_SECRET: key().optional(),
  IMA_VERIFICATION_TOKEN: key().optional(),
  IMA_ENCRYPT_KEY: z.string().trim().optional(),
  IMA_PUSH_SECRET: key().optional(),
  IMB_BOT_ENABLED: choice(['true', 'false']).default('false'),
  IMB_BASE_URL: baseUrl().optional(),
  IMB_CORP_ID: z.string().trim().optional(),
  IMB_CORP_SECRET: key().optional(),
  IMB_TOKEN: key().optional(),
  IMB_ENCODING_AES_KEY: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9]{43}$/, 'must be the 43 characters that WeCom shows')
    .optional(),
  IMB_AGENT_ID: z.string().trim().regex(/^\d+$/, 'must be a whole number, such as 1000002').optional(),
};
export type BotsEnvironment = z.infer<z.ZodObject<typeof botsVariables>>;

export function readBots(env: BotsEnvironment) {
  return {
    feishu: {
      enabled: env.IMA_BOT_ENABLED === 'true',
      connection: env.IMA_CONNECTION,
      baseUrl: env.IMA_BASE_URL,
      appId: env.IMA_APP_ID,
      appSecret: env.IMA_APP_SECRET,
      verificationToken: env.IMA_VERIFICATION_TOKEN,
      encryptKey: env.IMA_ENCRYPT_KEY,
      pushSecret: env.IMA_PUSH_SECRET,
    },
    wecom: {
      enabled: env.IMB_BOT_ENABLED === 'true',
      baseUrl: env.IMB_BASE_URL,
      corpId: env.IMB_CORP_ID,
      corpSecret: env.IMB_CORP_SECRET,
      token: env.IMB_TOKEN,
      encodingAesKey: env.IMB_ENCODING_AES_KEY,
      agentId: env.IMB_AGENT_ID,
    },
  };
}
