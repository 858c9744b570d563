import type { Clock } from '../../ports/clock.ts';

/** A token is renewed this long before it expires, so that it doesn't expire in transit. */
const RESERVE_MS = 180_000;

export interface IssuedToken {
  value: string;
  expiresInSeconds: number;
}

export interface TokenSource {
  get(): Promise<string>;
  /** Forgets a rejected token, unless another has replaced it. */
  drop(token: string): Promise<void>;
}

/** An application's token for a platform, fetched on demand: one request, however many callers wait for it. */
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
