import type { Clock } from '../../ports/clock.ts';

/** A token is renewed this long before it ends, so that none ends on its way. */
const RESERVE_MS = 180_000;

export interface IssuedToken {
  value: string;
  expiresInSeconds: number;
}

export interface TokenSource {
  get(): Promise<string>;
  /** Forgets a token that is no longer taken, unless another has its place by now. */
  drop(token: string): Promise<void>;
}

/** An application's token for a platform, fetched when it is needed: one request, however many wait for it. */
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
