import { describe, expect, it } from '@jest/globals';
import { assess } from '../../../../lib/support/assess.ts';
import { scaleNamed } from '../../../../lib/support/rules/named-units.ts';

describe('the scale in a caption', () => {
  it.each([
    ['Table 1. Revenue by region in million euros.', 1e6, ['EUR']],
    ['Revenue (EUR million)', 1e6, ['EUR']],
    ['Umsatz in Mio. EUR', 1e6, ['EUR']],
    ['单位：百万元', 1e6, ['CNY']],
    ['Harvest in thousand tonnes', 1e3, ['tonne']],
  ])('%s', (caption, factor, units) => {
    expect(scaleNamed(caption)).toEqual({ factor, units });
  });

  it.each(['Table 1. Revenue by region', 'Lengths in km', '', 'In 2020 and 2021'])(
    'is not in: %s',
    (caption) => {
      expect(scaleNamed(caption)).toBeUndefined();
    },
  );
});

describe('a table whose caption or header scales its numbers', () => {
  const ROWS = '| North | 45.2 | 48.9 |\n| South | 30.1 | 28.7 |';
  const BY_CAPTION = `In million euros\n| Region | 2019 | 2020 |\n|---|---|---|\n${ROWS}`;
  const BY_HEADER = `| Region | Cost (million euros) | Revenue (million euros) |\n|---|---|---|\n${ROWS}`;
  const BELOW_PROSE = `${'Costs rose to 7 million euros. '.repeat(12)}\n| Region | 2019 | 2020 |\n|---|---|---|\n${ROWS}`;
  const FAR = `In million euros\n\n\n\n| Region | 2019 | 2020 |\n|---|---|---|\n${ROWS}`;

  it.each([
    ['The North had 48.9 million euros in 2020.', BY_CAPTION, []],
    ['The North had 48.9 in 2020.', BY_CAPTION, []],
    ['The South had €28,700,000 in 2020.', BY_CAPTION, []],
    ['The North had 45.2 million euros in 2020.', BY_CAPTION, ['other_row']],
    ['The South had 48.9 million euros in 2020.', BY_CAPTION, ['other_row']],
    ['The North had 48.9 billion euros in 2020.', BY_CAPTION, ['number_missing']],
    ['The North had 48.9 million dollars in 2020.', BY_CAPTION, ['unit_missing']],
    ['The North had a revenue of 48.9 million euros.', BY_HEADER, []],
    ['The North had a revenue of 45.2 million euros.', BY_HEADER, ['other_row']],
    ['The North had 48.9 million euros in 2020.', BELOW_PROSE, ['number_missing']],
    ['The North had 48.9 million euros in 2020.', FAR, ['number_missing']],
  ])('%s', (sentence, quote, rules) => {
    expect(assess(sentence, { quotes: [quote] }).findings.map(({ rule }) => rule)).toEqual(rules);
  });
});
