/**
 * The bearer token of this tab. It's stored in sessionStorage, so that a reload doesn't ask for it, and no
 * other origin or tab can read it. It's deleted with the tab, when the person signs out in any tab, when the
 * service refuses it, and after a working day, so that a tab restored after a week has no token.
 * docs/security/authentication.md has the reasons.
 */
const KEPT = 'credential';
const PERSON = 'person';
const OUR_TOKENS = 'wrs_';
const MAX_AGE_MS = 12 * 3_600_000;
const channel = new BroadcastChannel('access');
const listeners = new Set<(hasEnded: boolean) => void>();

interface Kept {
  token: string;
  until: number;
}

channel.addEventListener('message', () => leave());

export function credential(): string | undefined {
  const kept = read();
  if (kept === undefined) return undefined;
  if (Date.now() < kept.until) return kept.token;
  forget(true);
  return undefined;
}

/** Stores a token; `lifeMs` is its remaining lifetime, if known. */
export function keepCredential(token: string, lifeMs = MAX_AGE_MS): void {
  const until = Date.now() + Math.min(lifeMs, MAX_AGE_MS);
  sessionStorage.setItem(KEPT, JSON.stringify({ token, until } satisfies Kept));
}

/** Signs out in every tab and deletes typed text, because another person may use this computer next. */
export function signOut(): void {
  channel.postMessage('signed out');
  leave();
}

function leave(): void {
  sessionStorage.clear();
  forget();
}

/**
 * Keeps typed text for the same person when their token expires, and deletes it if anyone else signs in. The
 * service's own tokens have no name, so if no one signs out in between, the next token counts as the same
 * person's. Otherwise, each expired token would delete typed text.
 */
export function keepFor(caller: string): void {
  const person = read()?.token.startsWith(OUR_TOKENS) ? OUR_TOKENS : caller;
  const before = sessionStorage.getItem(PERSON);
  const kept = sessionStorage.getItem(KEPT);
  if (before !== null && before !== person) sessionStorage.clear();
  if (kept !== null) sessionStorage.setItem(KEPT, kept);
  sessionStorage.setItem(PERSON, person);
}

/**
 * Forgets a token that the service refused. A late response doesn't affect a token that was stored since. A
 * tab that sent no token hasn't signed in yet.
 */
export function forgetRefused(sent: string | null | undefined): void {
  const refused = sent ?? undefined;
  if (refused === authorization().authorization) forget(refused !== undefined);
}

/**
 * Forgets the credential and notifies the sign-in page, including whether it ended without the person's
 * action.
 */
export function forget(hasEnded = false): void {
  sessionStorage.removeItem(KEPT);
  for (const told of listeners) told(hasEnded);
}

export function whenForgotten(told: (hasEnded: boolean) => void): () => void {
  listeners.add(told);
  return () => listeners.delete(told);
}

export function authorization(): Record<string, string> {
  const token = credential();
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

function read(): Kept | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? '') as Kept;
  } catch {
    return undefined;
  }
}
