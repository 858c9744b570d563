import { LIST_PRICES } from './list-prices.ts';
import type { ModelPrice, ModelPrices } from './schema.ts';

/** `-2025-04-14`, `-20250929`, `-latest`: a state of a model costs what the model does. */
const STATE = /-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$/;

/** What the settings say of the model stands before its list price; undefined = nobody knows. */
export function priceOf(model: string, own: ModelPrices): ModelPrice | undefined {
  const plain = model.replace(STATE, '');
  return find(own, model) ?? find(own, plain) ?? find(LIST_PRICES, model) ?? find(LIST_PRICES, plain);
}

/** Names come from outside: `constructor` is none of ours. */
function find(prices: ModelPrices, model: string): ModelPrice | undefined {
  return Object.hasOwn(prices, model) ? prices[model] : undefined;
}

export interface Tokens {
  inputTokens: number;
  outputTokens: number;
  embeddedTokens: number;
}

/**
 * The cost in dollars; null where the model has no price. A use without tokens (a command, documents that were ranked)
 * costs nothing.
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
