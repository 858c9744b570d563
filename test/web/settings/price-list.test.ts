import { describe, expect, it } from '@jest/globals';
import { pricesOf, rowsOf } from '../../../web/settings/price-list.ts';

const price = { inputPerMillion: 1, outputPerMillion: 2 };
const settings = (llmModel: string | null, prices = {}) => ({
  ...{ llmModel, prices, listPrices: { asOf: '2026-01-31', models: { listed: price } } },
});

describe('price rows', () => {
  it.each([
    ['has no price', 'own-model', {}, ['own-model']],
    ['is in the list with a price', 'listed', {}, []],
    ['is a snapshot of a listed model', 'listed-2025-04-14', {}, []],
    ['has a configured price', 'own-model', { 'own-model': price }, ['own-model']],
    ['has the name of an inherited property', 'constructor', {}, ['constructor']],
    ['is unknown', null, {}, []],
  ])('offer the default model once, or no model that %s', (_, model, prices, offered) => {
    expect(rowsOf(settings(model, prices)).map((row) => row.model)).toEqual(offered);
  });

  it('omit the offered model until a price is entered', () => {
    const [offered] = rowsOf(settings('own-model'));
    if (offered === undefined) throw new Error('no row');
    expect(pricesOf([offered])).toEqual({});
    expect(pricesOf([{ ...offered, input: '1' }])).toBeUndefined();
    expect(pricesOf([{ ...offered, input: '1', output: '2' }])).toEqual({ 'own-model': price });
    expect(pricesOf([{ key: 1, model: 'typed', input: '', output: '' }])).toBeUndefined();
  });
});
