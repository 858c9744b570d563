import type { Schemas } from '../../lib/api-contract/schema.ts';

export type Prices = Record<string, Schemas['ModelPrice']>;

/** The row as it is typed: texts, which may not be numbers yet. */
export interface PriceRow {
  key: number;
  model: string;
  input: string;
  output: string;
}

export function rowsOf(prices: Prices): PriceRow[] {
  return Object.entries(prices).map(([model, { inputPerMillion, outputPerMillion }], key) => ({
    key,
    model,
    input: String(inputPerMillion),
    output: String(outputPerMillion),
  }));
}

/** Rows without a name are left out; undefined while a price is not a number. */
export function pricesOf(rows: PriceRow[]): Prices | undefined {
  const named = rows.filter(({ model }) => model.trim() !== '');
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
