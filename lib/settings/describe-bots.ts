import { CHAT_PLATFORMS, enabledVariable, PLATFORMS, type Platform } from '../api-contract/chat-platforms.ts';
import type { Config } from '../config.ts';

type Bots = Config['bots'];

/** Whether a bot is enabled, how it gets its messages if that can be chosen, and which settings are missing. */
interface BotState {
  enabled: boolean;
  connection?: 'webhook' | 'websocket';
  missing: string[];
}

/** Returns the missing settings of each bot. Doesn't read the secret store for a disabled bot. */
export function describeBots(bots: Bots): Record<Platform, BotState> {
  const described = PLATFORMS.map((platform) => [platform, describeBot(bots, platform)] as const);
  return Object.fromEntries(described) as Record<Platform, BotState>;
}

function describeBot(bots: Bots, platform: Platform): BotState {
  const { settings: name, needs } = CHAT_PLATFORMS[platform];
  const settings: Record<string, unknown> & Pick<BotState, 'enabled' | 'connection'> = bots[name];
  const { enabled, connection } = settings;
  const lacking = Object.entries(needs).filter(([, setting]) => settings[setting] === undefined);
  // A bot that opens the connection itself has no callbacks to verify.
  const needed = lacking.filter(([, name]) => connection !== 'websocket' || name !== 'verificationToken');
  const missing = [...(enabled ? [] : [enabledVariable(platform)]), ...needed.map(([variable]) => variable)];
  return { enabled, ...(connection && { connection }), missing };
}
