import type { Clock } from '../../ports/clock.ts';

/** Milliseconds before expiry at which a token is renewed, so that it doesn't expire in transit. */
const RESERVE_MS = 180_000;

export interface IssuedToken {
  value: string;
  expiresInSeconds: number;
}

export interface TokenSource {
  get(): Promise<string>;
  /** Forgets a rejected token, unless it has already been replaced. */
  drop(token: string): Promise<void>;
}

/** A platform's token for an application, fetched on demand with one request for all callers that wait. */
export function tokenSource(issue: () => Promise<IssuedToken>, clock: Clock): TokenSource {
  let current: Promise<{ value: string; until: number }> | undefined;
  const renew = () => {
    const renewal = issue().then(({ value, expiresInSeconds }) => ({
      value,
      until: clock.now() + expiresInSeconds * 1000 - RESERVE_MS,
    }));
    current = renewal;
    renewal.catch(() => {
      if (current === renewal) current = undefined;
    });
    return renewal;
  };
  return {
    async get() {
      const seen = current ?? renew();
      const token = await seen;
      if (clock.now() < token.until) return token.value;
      return (await (current === seen ? renew() : (current ?? renew()))).value;
    },
    async drop(token) {
      const seen = current;
      const held = await seen?.catch(() => undefined);
      if (held?.value === token && current === seen) current = undefined;
    },
  };
}
