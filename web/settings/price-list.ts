import { findPrice } from '../../lib/api-contract/price-of.ts';
import type { Schemas } from '../../lib/api-contract/schema.ts';

export type Prices = Record<string, Schemas['ModelPrice']>;

/** A row as typed; its texts may not be numbers yet. */
export interface PriceRow {
  key: number;
  model: string;
  input: string;
  output: string;
  /** True for the row of a model without a price, which doesn't count until a price is entered. */
  isOffered?: boolean;
}

/** Returns rows for the configured prices, and an empty row for the default model if it has no price. */
export function rowsOf({
  prices,
  listPrices,
  llmModel,
}: Pick<Schemas['Settings'], 'prices' | 'listPrices' | 'llmModel'>): PriceRow[] {
  const rows = givenRows(prices);
  const isPriced = llmModel === null || findPrice(llmModel, prices, listPrices.models) !== undefined;
  return isPriced
    ? rows
    : [...rows, { key: rows.length, model: llmModel, input: '', output: '', isOffered: true }];
}

function givenRows(prices: Prices): PriceRow[] {
  return Object.entries(prices).map(([model, { inputPerMillion, outputPerMillion }], key) => ({
    key,
    model,
    input: String(inputPerMillion),
    output: String(outputPerMillion),
  }));
}

/** Returns whether the row doesn't count yet, because its model is only offered, and no price was entered. */
export function isUntouched({ isOffered = false, input, output }: PriceRow): boolean {
  return isOffered && input.trim() === '' && output.trim() === '';
}

/** Returns the prices, without rows that have no name or don't count; undefined if a price isn't a number. */
export function pricesOf(rows: PriceRow[]): Prices | undefined {
  const named = rows.filter((row) => row.model.trim() !== '' && !isUntouched(row));
  const entries = named.map(({ model, input, output }): [string, Schemas['ModelPrice']] => [
    model.trim(),
    { inputPerMillion: readPrice(input), outputPerMillion: readPrice(output) },
  ]);
  const isWhole = entries.every(([, price]) => price.inputPerMillion >= 0 && price.outputPerMillion >= 0);
  return isWhole ? Object.fromEntries(entries) : undefined;
}

function readPrice(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}
