import { Unauthorized } from '../errors.ts';

/** The refusal of a callback, the same for every reason, so that a forger learns nothing. */
export function notVerified(platform: 'Feishu' | 'WeCom'): Unauthorized {
  return new Unauthorized(
    'callback_not_verified',
    `This callback could not be verified as coming from ${platform}.`,
  );
}
