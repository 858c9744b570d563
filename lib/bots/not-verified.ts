import type { CHAT_PLATFORMS, Platform } from '../api-contract/chat-platforms.ts';
import { Unauthorized } from '../errors.ts';

/** Returns the refusal of a callback. It is the same for every problem, so that a forger learns nothing. */
export function notVerified(platform: (typeof CHAT_PLATFORMS)[Platform]['name']): Unauthorized {
  return new Unauthorized(
    'callback_not_verified',
    `This callback could not be verified as coming from ${platform}.`,
  );
}
