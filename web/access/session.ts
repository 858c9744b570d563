import { keepCredential, whenForgotten } from './credential.ts';
import { type Login, renew, type Session } from './issuer.ts';

/**
 * Milliseconds before its end at which a token is renewed, so that a request in progress still has a valid
 * one.
 */
const EARLY_MS = 60_000;
const MAX_TIMER_MS = 2_000_000_000;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Stores the token, and renews it before it expires. The refresh token stays in this page's memory. If the
 * token has expired after a reload, the person goes to the issuer again, which usually sends them straight
 * back.
 */
export function keepSession(login: Login, session: Session): void {
  keepCredential(session.token, session.lifeMs);
  clearTimeout(timer);
  const { refreshToken } = session;
  if (refreshToken === undefined) return;
  const wait = Math.min(MAX_TIMER_MS, Math.max(EARLY_MS / 4, session.lifeMs - EARLY_MS));
  const mine = setTimeout(() => {
    renew(login, refreshToken).then(
      // Someone who signed out in the meantime stays signed out.
      (next) => timer === mine && keepSession(login, next),
      () => {}, // the token expires, and the sign-in page appears
    );
  }, wait);
  timer = mine;
}

whenForgotten(() => {
  clearTimeout(timer);
  timer = undefined;
});
