import { describe, expect, it } from '@jest/globals';
import { costOf, priceOf } from '../../../lib/prices/price-of.ts';

const OWN = {
  'gpt-4.1': { inputPerMillion: 1, outputPerMillion: 1 },
  mine: { inputPerMillion: 0, outputPerMillion: 0 },
};
const tokens = { inputTokens: 1_000_000, outputTokens: 500_000, embeddedTokens: 0 };

describe('priceOf', () => {
  it.each([
    ['gpt-4.1-mini', { inputPerMillion: 0.4, outputPerMillion: 1.6 }],
    ['gpt-4.1-mini-2025-04-14', { inputPerMillion: 0.4, outputPerMillion: 1.6 }],
    ['claude-sonnet-4-5-20250929', { inputPerMillion: 3, outputPerMillion: 15 }],
    ['gpt-4.1', OWN['gpt-4.1']],
    ['gpt-4.1-2025-04-14', OWN['gpt-4.1']],
    ['constructor', undefined],
    ['gpt-4.1-mini-of-somebody', undefined],
  ])('returns for %s: %j', (model, price) => {
    expect(priceOf(model, OWN)).toEqual(price);
  });

  it('determines the cost, which is unknown without a price, and zero without tokens', () => {
    expect(costOf('claude-sonnet-4-5', tokens, {})).toBe(10.5);
    expect(
      costOf('text-embedding-3-small', { inputTokens: 0, outputTokens: 0, embeddedTokens: 5e6 }, {}),
    ).toBeCloseTo(0.1);
    expect(costOf('unheard-of', tokens, {})).toBeNull();
    expect(costOf('mine', tokens, OWN)).toBe(0);
    expect(costOf('', { inputTokens: 0, outputTokens: 0, embeddedTokens: 0 }, {})).toBe(0);
  });
});
