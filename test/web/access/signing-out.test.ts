import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { startFakeIssuer } from '../../support/fakes/fake-issuer.ts';
import { stopTimers, turns } from '../../support/fakes/fake-timers.ts';

/** The part of a tab that this code uses. */
const kept = new Map<string, string>();
let otherTabSignsOut = () => {};
Object.assign(globalThis, {
  sessionStorage: {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => kept.set(name, text),
    removeItem: (name: string) => kept.delete(name),
    clear: () => kept.clear(),
  },
  BroadcastChannel: class {
    postMessage() {}
    addEventListener(_type: string, hear: () => void) {
      otherTabSignsOut = hear;
    }
  },
});
const access = await import('../../../web/access/credential.ts');
/**
 * A name that the compiler doesn't follow, because it leads to files of the page, which has other globals.
 */
const SESSION: string = '../../../web/access/session.ts';
const { keepSession }: { keepSession(login: object, session: object): void } = await import(SESSION);

beforeEach(() => {
  kept.clear();
  access.keepFor('ann');
  access.keepCredential('hers');
  kept.set('draft:note', 'what Ann thinks');
});

describe('data of a tab', () => {
  it.each([
    ['in this tab', () => access.signOut()],
    ['in another tab', () => otherTabSignsOut()],
  ])('is deleted when the user signs out %s', (_where, signOut) => {
    signOut();
    expect([...kept]).toEqual([]);
  });

  it('is kept for the same user if the token is rejected', () => {
    access.forget();
    access.keepCredential('a later one');
    access.keepFor('ann');
    expect(kept.get('draft:note')).toBe('what Ann thinks');
  });

  it('is kept for the next token of a user who pastes tokens, which have a new name each time', () => {
    access.keepCredential('wrs_first');
    access.keepFor('01a');
    kept.set('draft:note', 'half a thought');
    access.forget();
    access.keepCredential('wrs_second');
    access.keepFor('01b');
    expect(kept.get('draft:note')).toBe('half a thought');
    access.keepCredential('of Bob');
    access.keepFor('bob');
    expect(kept.has('draft:note')).toBe(false);
  });

  it('is not kept for another user who signs in afterwards', () => {
    access.forget();
    access.keepCredential('of Bob');
    access.keepFor('bob');
    expect(kept.has('draft:note')).toBe(false);
    expect(access.credential()).toBe('of Bob');
  });
});

describe('rejected token', () => {
  it.each([
    ['is deleted', 'Bearer hers', undefined],
    ['does not delete a newer one', 'Bearer an earlier one', 'hers'],
    ['keeps one that was stored after a request without any', null, 'hers'],
  ])('%s', (_what, sent, left) => {
    access.forgetRefused(sent);
    expect(access.credential()).toBe(left);
  });

  it('shows the sign-in page if no credential was sent or stored', () => {
    access.forget();
    const told = jest.fn();
    const leave = access.whenForgotten(told);
    access.forgetRefused(null);
    leave();
    expect(told).toHaveBeenCalledTimes(1);
  });

  it('counts as expired only if a credential was sent', () => {
    const told = jest.fn();
    const leave = access.whenForgotten(told);
    access.forgetRefused('Bearer hers');
    access.forgetRefused(null);
    leave();
    expect(told.mock.calls).toEqual([[true], [false]]);
  });
});

describe('keepSession', () => {
  let issuer: Awaited<ReturnType<typeof startFakeIssuer>>;
  beforeEach(async () => {
    issuer = await startFakeIssuer();
  });
  afterEach(async () => {
    jest.useRealTimers();
    jest.restoreAllMocks();
    await issuer.stop();
  });

  /** Waits until the renewal has requested the next token; `answer` returns it. */
  async function renewing() {
    const refreshToken = await firstRefreshToken(issuer);
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const real = globalThis.fetch;
    let answered: Promise<unknown> = Promise.resolve();
    const asked = new Promise<void>((resolve) => {
      jest.spyOn(globalThis, 'fetch').mockImplementation(async (...args) => {
        if (!String(args[0] instanceof Request ? args[0].url : args[0]).endsWith('/token'))
          return real(...args);
        resolve();
        const response = held.then(() => real(...args));
        answered = response;
        return response;
      });
    });
    stopTimers();
    const login = { issuer: issuer.url, clientId: 'console', scope: 'openid', audience: 'wrs' };
    keepSession(login, { token: 'first', lifeMs: 70_000, refreshToken });
    jest.advanceTimersByTime(10_000);
    jest.advanceTimersByTime(10_000);
    jest.useRealTimers();
    await asked;
    return async () => {
      answer();
      await answered;
      await turns();
    };
  }

  it('gets the next token before the current one expires', async () => {
    const answer = await renewing();
    await answer();
    expect(access.credential()).toMatch(/^eyJ/);
    access.forget();
  });

  it('does not sign a user in again who signed out during the renewal', async () => {
    const answer = await renewing();
    access.signOut();
    await answer();
    expect([...kept]).toEqual([]);
  });
});

async function firstRefreshToken({
  url,
  login,
}: Awaited<ReturnType<typeof startFakeIssuer>>): Promise<string> {
  const verifier = 'v'.repeat(43);
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const asked = new URLSearchParams({
    ...{ response_type: 'code', code_challenge_method: 'S256', client_id: 'console', nonce: 'n' },
    ...{ code_challenge: Buffer.from(hash).toString('base64url'), redirect_uri: `${url}/back`, state: 's' },
  });
  const code = new URL(login.letIn(asked)).searchParams.get('code') ?? '';
  const [, body] = await login.exchange(
    new URLSearchParams({
      ...{ grant_type: 'authorization_code', code, code_verifier: verifier },
      ...{ client_id: 'console', redirect_uri: `${url}/back` },
    }),
  );
  return (body as { refresh_token: string }).refresh_token;
}
