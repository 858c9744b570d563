import {
  CHAT_PLATFORMS,
  enabledVariable,
  PLATFORMS,
  type Platform,
} from '../../lib/api-contract/chat-platforms.ts';
import { withTimeout } from '../../lib/async/with-timeout.ts';
import type { Config } from '../../lib/config.ts';
import { errorDetails } from '../../lib/known-error.ts';
import { withBotSecrets } from '../../lib/settings/stored-keys.ts';
import { botTokenRequests } from '../../lib/wiring/chat-platform.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';
import { describeLackingBots } from '../local/welcome.ts';
import { ASK_MS, type Finding, note, ok, wrong } from './finding.ts';

/**
 * Requests a token from the platform of each complete bot, which doesn't verify its callback settings. Incomplete bots
 * are listed with their missing variables.
 */
export async function checkBots(config: Config): Promise<Finding[]> {
  const lacking = (await describeLackingBots(config)).map(wrong);
  const requests = botTokenRequests(await withBotSecrets(config, await openSecrets(config)));
  const asked = await Promise.all(
    Object.entries(requests).map(([id, request]) => checkBot(id as Platform, request)),
  );
  if (lacking.length + asked.length === 0)
    return [note(`none: ${PLATFORMS.map(enabledVariable).join(', ')}`)];
  return [...asked, ...lacking];
}

async function checkBot(id: Platform, request: (signal: AbortSignal) => Promise<unknown>): Promise<Finding> {
  const { name } = CHAT_PLATFORMS[id];
  try {
    const issued = await withTimeout(ASK_MS, request);
    if (issued === undefined)
      return wrong(
        `${name} did not answer within ${ASK_MS / 1000} s. Check the network and ${baseUrlOf(id)}.`,
      );
    return ok(`${name} accepts ${credentialsOf(id)}`);
  } catch (error) {
    return wrong([(error as Error).message, ...adviceOn(error, id)].join(' '));
  }
}

/** Returns advice that the error message doesn't give. */
function adviceOn(error: unknown, id: Platform): string[] {
  const { code } = errorDetails(error);
  if (code === 'chat_platform_unreachable') return ['Check HTTPS_PROXY too.'];
  if (code === 'chat_platform_answer_unusable') return [`Check ${baseUrlOf(id)}, or try again later.`];
  return code === 'chat_platform_rate_limited'
    ? []
    : [`Copy ${credentialsOf(id)} from the console of the platform.`];
}

/** Names the credentials of a platform's bot. */
function credentialsOf(id: Platform): string {
  return CHAT_PLATFORMS[id].signsInWith.join(' and ');
}

function baseUrlOf(id: Platform): string {
  return `${id.toUpperCase()}_BASE_URL`;
}
