import type { TFunction } from 'i18next';
import { ApiError } from '../api/client.ts';

/** Why signing in at the issuer failed in this console, as the key of the message. */
export class SignInError extends Error {
  readonly key: 'access.noIssuer' | 'access.otherTab' | 'access.issuerUnreached';

  constructor(key: SignInError['key']) {
    super(key);
    this.key = key;
  }
}

/** Returns the failure in the reader's language, with the issuer's text as the reason. */
export function wordSignInError(error: Error, t: TFunction): Error {
  if (error instanceof ApiError) return error;
  return new Error(
    error instanceof SignInError ? t(error.key) : t('access.failed', { reason: error.message }),
  );
}
