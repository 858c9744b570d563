import { withTimeout } from '../../lib/async/with-timeout.ts';
import type { Config } from '../../lib/config.ts';
import { errorDetails } from '../../lib/known-error.ts';
import { withBotSecrets } from '../../lib/settings/stored-keys.ts';
import { botTokenRequests } from '../../lib/wiring/chat-platform.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';
import { describeLackingBots } from '../local/welcome.ts';
import { ASK_MS, type Finding, note, ok, wrong } from './finding.ts';

const PLATFORMS = {
  ima: { name: 'Feishu', variable: 'IMA', asked: 'IMA_APP_ID and IMA_APP_SECRET' },
  imb: { name: 'WeCom', variable: 'IMB', asked: 'IMB_CORP_ID and IMB_CORP_SECRET' },
} as const;

/**
 * Requests a token from the platform of each complete bot, which doesn't verify its callback settings. Incomplete bots
 * are listed with their missing variables.
 */
export async function checkBots(config: Config): Promise<Finding[]> {
  const lacking = (await describeLackingBots(config)).map(wrong);
  const requests = botTokenRequests(await withBotSecrets(config, await openSecrets(config)));
  const asked = await Promise.all(
    Object.entries(requests).map(([id, request]) => checkBot(id as keyof typeof PLATFORMS, request)),
  );
  if (lacking.length + asked.length === 0) return [note('none: IMA_BOT_ENABLED, IMB_BOT_ENABLED')];
  return [...asked, ...lacking];
}

async function checkBot(
  id: keyof typeof PLATFORMS,
  request: (signal: AbortSignal) => Promise<unknown>,
): Promise<Finding> {
  const { name, variable, asked } = PLATFORMS[id];
  try {
    const issued = await withTimeout(ASK_MS, request);
    if (issued === undefined)
      return wrong(
        `${name} did not answer within ${ASK_MS / 1000} s. Check the network and ${variable}_BASE_URL.`,
      );
    return ok(`${name} accepts ${asked}`);
  } catch (error) {
    return wrong([(error as Error).message, ...adviceOn(error, id)].join(' '));
  }
}

/** Returns advice beyond the message. */
function adviceOn(error: unknown, id: keyof typeof PLATFORMS): string[] {
  const { variable } = PLATFORMS[id];
  const { code } = errorDetails(error);
  if (code === 'chat_platform_unreachable') return ['Check HTTPS_PROXY too.'];
  if (code === 'chat_platform_answer_unusable') return [`Check ${variable}_BASE_URL, or try again later.`];
  return code === 'chat_platform_rate_limited' ? [] : [FIXES[id]];
}

const FIXES = {
  ima: 'Copy both from the page of the app on the open platform.',
  imb: 'Copy IMB_CORP_ID and IMB_CORP_SECRET from the admin console.',
};
