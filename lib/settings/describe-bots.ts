import type { Config } from '../config.ts';

type Bots = Config['bots'];

/** Reports what each bot still needs. The secret store isn't read for a disabled bot. */
export function describeBots({ feishu, wecom }: Bots) {
  const { connection } = feishu;
  return {
    ima: {
      enabled: feishu.enabled,
      connection,
      missing: missingOf({
        IMA_BOT_ENABLED: feishu.enabled || undefined,
        IMA_APP_ID: feishu.appId,
        IMA_APP_SECRET: feishu.appSecret,
        // A bot that opens the connection itself receives no events to verify.
        ...(connection === 'webhook' && { IMA_VERIFICATION_TOKEN: feishu.verificationToken }),
      }),
    },
    imb: {
      enabled: wecom.enabled,
      missing: missingOf({
        IMB_BOT_ENABLED: wecom.enabled || undefined,
        IMB_CORP_ID: wecom.corpId,
        IMB_AGENT_ID: wecom.agentId,
        IMB_CORP_SECRET: wecom.corpSecret,
        IMB_TOKEN: wecom.token,
        IMB_ENCODING_AES_KEY: wecom.encodingAesKey,
      }),
    },
  };
}

function missingOf(variables: Record<string, unknown>): string[] {
  return Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [name] : []));
}
