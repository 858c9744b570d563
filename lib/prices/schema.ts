import * as z from 'zod';

const dollars = z.number().min(0).max(100_000);

/** US dollars per million tokens; embedded text counts as input. */
const modelPriceSchema = z
  .strictObject({
    inputPerMillion: dollars.describe('Price of input and embedded text, in USD per million tokens.'),
    outputPerMillion: dollars.describe('Price of output, in USD per million tokens.'),
  })
  .meta({ id: 'ModelPrice' });
export type ModelPrice = z.infer<typeof modelPriceSchema>;

/** Prices by model name. */
export const modelPricesSchema = z
  .record(z.string().min(1).max(200), modelPriceSchema)
  .refine((prices) => Object.keys(prices).length <= 200, 'must have at most 200 models');
export type ModelPrices = z.infer<typeof modelPricesSchema>;
