/** `never remove more than 20`: what is denied is the amount, not the verb. */
const BY_DENIAL =
  /(?:(?<!\p{L})(?:never|not|cannot|no)|n['’]t)(?<between>(?: \p{L}+){0,5}) (?<side>more|less|fewer) than (?<amount>\d[\d.,]*)/giu;
const PLAIN =
  /(?<!\p{L})(?:(?<most>at most|up to|a maximum of|no more than|not more than)|at least|a minimum of|(?:no|not) (?:less|fewer) than) (?<amount>\d[\d.,]*)/giu;

function nameOf(isMost: boolean, amount = ''): string {
  return `${isMost ? 'most' : 'least'} ${amount.replace(/[.,]$/, '')}`;
}

/** The amounts that a text limits, with the side of the limit: `most 20`. */
function limitsOf(text: string): Set<string> {
  const denied = [...text.matchAll(BY_DENIAL)].map(({ groups: { side = '', amount } = {} }) =>
    nameOf(/^more$/i.test(side), amount),
  );
  const plain = [...text.matchAll(PLAIN)].map(({ groups: { most, amount } = {} }) =>
    nameOf(most !== undefined, amount),
  );
  return new Set([...denied, ...plain]);
}

/**
 * Returns both texts without the denials that set the same limit as the other text, so that `never remove more than 20` and `at most 20
 * may be removed` have none. A denial of an amount that the other text doesn't limit stays: `more than 20 are removed`.
 */
export function withoutSameLimits(one: string, other: string): [one: string, other: string] {
  const limits = limitsOf(one).intersection(limitsOf(other));
  if (limits.size === 0) return [one, other];
  const plainly = (text: string) =>
    text.replace(BY_DENIAL, (found: string, between: string, side: string, amount: string) =>
      limits.has(nameOf(/^more$/i.test(side), amount))
        ? `${between} ${/^more$/i.test(side) ? 'at most' : 'at least'} ${amount}`
        : found,
    );
  return [plainly(one), plainly(other)];
}
