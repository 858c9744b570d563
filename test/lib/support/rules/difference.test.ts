import { describe, expect, it } from '@jest/globals';
import { differenceBetween } from '../../../../lib/support/rules/difference.ts';

describe('the difference between a sentence and a quote', () => {
  it.each([
    ['one number', 'The mean clutch was 5.9 eggs.', 'The mean clutch was 4.9 eggs.', '5.9', '4.9'],
    ['a name', 'Marta Hansen led the field work.', 'Marta Eriksen led the field work.', 'Hansen', 'Eriksen'],
    [
      'adjacent numbers as one',
      'Permits rose from 23 in 2017 to 58 in 2021.',
      'Permits fell from 58 in 2017 to 23 in 2021.',
      'rose from 23 in 2017 to 58',
      'fell from 58 in 2017 to 23',
    ],
    [
      'a word that only one has, together with the next word',
      'Divers found sea urchins.',
      'Divers found no sea urchins.',
      'sea',
      'no sea',
    ],
    ['a denial', 'Deep meadows stored more.', 'Deep meadows did not store more.', 'stored', 'did not store'],
    ['no further words of the quote', 'In May it was 5.', 'In May it was 4, as ever. It rained.', '5', '4'],
    ['Chinese', '差别在 30 °C 以上最大。', '差别在 32 °C 以上最大。', '30', '32'],
  ])('consists of %s', (_, sentence, quote, own, said) => {
    expect(differenceBetween(sentence, ['Of something else.', quote])).toEqual({ own: [own], said: [said] });
  });

  it.each([
    [
      'for sentences about something else',
      'The reef had 24 crabs in 2024.',
      'The council paid for the survey.',
    ],
    ['for equal sentences', 'Owls hunt at night.', 'Owls hunt at night.'],
    ['for a sentence that continues', 'Owls hunt at night in 13 forests of Spain.', 'Owls hunt at night.'],
    ['for very long sentences', 'owl '.repeat(900), 'owls '.repeat(900)],
  ])('is empty %s', (_, sentence, quote) => {
    expect(differenceBetween(sentence, [quote])).toBeUndefined();
  });
});
