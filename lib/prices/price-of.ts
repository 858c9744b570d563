import { LIST_PRICES } from './list-prices.ts';
import type { ModelPrice, ModelPrices } from './schema.ts';

/** `-2025-04-14`, `-20250929`, `-latest`: a snapshot costs the same as its model. */
const STATE = /-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$/;

/** Prices in the settings override list prices; undefined if the model has none. */
export function priceOf(model: string, own: ModelPrices): ModelPrice | undefined {
  const plain = model.replace(STATE, '');
  return find(own, model) ?? find(own, plain) ?? find(LIST_PRICES, model) ?? find(LIST_PRICES, plain);
}

/** Names are untrusted: `constructor` isn't one of ours. */
function find(prices: ModelPrices, model: string): ModelPrice | undefined {
  return Object.hasOwn(prices, model) ? prices[model] : undefined;
}

export interface Tokens {
  inputTokens: number;
  outputTokens: number;
  embeddedTokens: number;
}

/**
 * Returns the cost in dollars; null if the model has no price. Usage without tokens (a command, reranked documents) costs
 * nothing.
 */
export function costOf(model: string, tokens: Tokens, own: ModelPrices): number | null {
  const { inputTokens, outputTokens, embeddedTokens } = tokens;
  if (inputTokens + outputTokens + embeddedTokens === 0) return 0;
  const price = priceOf(model, own);
  if (price === undefined) return null;
  return (
    ((inputTokens + embeddedTokens) * price.inputPerMillion + outputTokens * price.outputPerMillion) / 1e6
  );
}
