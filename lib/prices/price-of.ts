import { findPrice } from '../api-contract/price-of.ts';
import { LIST_PRICES } from './list-prices.ts';
import type { ModelPrice, ModelPrices } from './schema.ts';

/** Returns a model's price; prices in the settings override list prices. Undefined if the model has none. */
export function priceOf(model: string, own: ModelPrices): ModelPrice | undefined {
  return findPrice(model, own, LIST_PRICES);
}

export interface Tokens {
  inputTokens: number;
  outputTokens: number;
  embeddedTokens: number;
}

/**
 * Returns the cost in dollars; null if the model has no price. Usage without tokens (a command, reranked
 * documents) is free.
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
