import type { ModelPrices } from './schema.ts';

/** The date of these list prices. Nothing updates them. Set `prices` in the settings to use other prices. */
export const LIST_PRICES_AS_OF = '2026-01-31';

const price = (inputPerMillion: number, outputPerMillion: number) => ({ inputPerMillion, outputPerMillion });

/** US dollars per million tokens, input and output, without discounts for caches, batches, or off-peak hours. */
export const LIST_PRICES: ModelPrices = {
  'gpt-5': price(1.25, 10),
  'gpt-5-mini': price(0.25, 2),
  'gpt-5-nano': price(0.05, 0.4),
  'gpt-4.1': price(2, 8),
  'gpt-4.1-mini': price(0.4, 1.6),
  'gpt-4.1-nano': price(0.1, 0.4),
  'gpt-4o': price(2.5, 10),
  'gpt-4o-mini': price(0.15, 0.6),
  o3: price(2, 8),
  'o3-mini': price(1.1, 4.4),
  'o4-mini': price(1.1, 4.4),
  'text-embedding-3-small': price(0.02, 0),
  'text-embedding-3-large': price(0.13, 0),
  'text-embedding-ada-002': price(0.1, 0),
  'claude-opus-4-5': price(5, 25),
  'claude-opus-4-1': price(15, 75),
  'claude-opus-4': price(15, 75),
  'claude-sonnet-4-5': price(3, 15),
  'claude-sonnet-4': price(3, 15),
  'claude-haiku-4-5': price(1, 5),
  'claude-3-5-haiku': price(0.8, 4),
  'gemini-2.5-pro': price(1.25, 10),
  'gemini-2.5-flash': price(0.3, 2.5),
  'gemini-2.5-flash-lite': price(0.1, 0.4),
  'gemini-embedding-001': price(0.15, 0),
};
