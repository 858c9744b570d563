/** A chat platform whose bot can answer. */
interface PlatformEntry {
  name: string;
  /** The page of its setup guide. */
  guide: string;
  /** The name of its settings in `bots` of the configuration. */
  settings: 'feishu' | 'wecom';
  /** Variables without which its bot can't answer, each with the name of its setting. */
  needs: Record<string, string>;
  /** The variables of `needs` with which its bot signs in. */
  signsInWith: string[];
  /** Variables that are also read from the secret store while the bot is enabled. */
  secrets: Record<string, string>;
}

/** The chat platforms by their names in records, queue messages, routes (`/api/bot/ima`), and variables (`IMA_BOT_ENABLED`). */
export const CHAT_PLATFORMS = {
  ima: {
    name: 'Feishu',
    guide: 'guides/feishu',
    settings: 'feishu',
    needs: {
      IMA_APP_ID: 'appId',
      IMA_APP_SECRET: 'appSecret',
      IMA_VERIFICATION_TOKEN: 'verificationToken',
    },
    signsInWith: ['IMA_APP_ID', 'IMA_APP_SECRET'],
    secrets: {
      IMA_APP_SECRET: 'appSecret',
      IMA_VERIFICATION_TOKEN: 'verificationToken',
      IMA_ENCRYPT_KEY: 'encryptKey',
    },
  },
  imb: {
    name: 'WeCom',
    guide: 'guides/wecom',
    settings: 'wecom',
    needs: {
      IMB_CORP_ID: 'corpId',
      IMB_CORP_SECRET: 'corpSecret',
      IMB_AGENT_ID: 'agentId',
      IMB_TOKEN: 'token',
      IMB_ENCODING_AES_KEY: 'encodingAesKey',
    },
    signsInWith: ['IMB_CORP_ID', 'IMB_CORP_SECRET'],
    secrets: {
      IMB_CORP_SECRET: 'corpSecret',
      IMB_TOKEN: 'token',
      IMB_ENCODING_AES_KEY: 'encodingAesKey',
    },
  },
} as const satisfies Record<string, PlatformEntry>;

export type Platform = keyof typeof CHAT_PLATFORMS;
export const PLATFORMS = Object.keys(CHAT_PLATFORMS) as [Platform, ...Platform[]];

/** Returns the variable that enables a platform's bot. */
export function enabledVariable(platform: Platform): string {
  return `${platform.toUpperCase()}_BOT_ENABLED`;
}
