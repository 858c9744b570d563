import { expect, it } from '@jest/globals';
import { assess } from '../../../../lib/support/assess.ts';

it.each([
  ['names in decomposed letters', 'José Müller won 5 prizes.', 'José Müller won 5 prizes.'.normalize('NFD')],
  ['ligatures', 'Eﬀie Grifﬁn kept 12 oﬃces.', 'Effie Griffin kept 12 offices.'],
  ['words divided at a line end', 'Owls are not dangerous.', 'Owls are not danger-\nous.'],
  ['hyphens at a line end', 'A well-known owl has 5 eggs.', 'A well-\nknown owl has 5 eggs.'],
  ['wide letters and digits', 'Acme 有 120 人。', 'Ａｃｍｅ 有 １２０ 人。'],
  ['invisible characters', 'Griffin won 5 prizes.', 'Grif\u00ADfin won 5 prizes.'],
  ['decomposed Korean', '서울시 인구는 940만 명이다.', '서울시 인구는 940만 명이다.'.normalize('NFD')],
])('missingFacts finds nothing missing for %s', (_, sentence, quote) => {
  for (const [one, other] of [
    [sentence, quote],
    [quote.replaceAll('\n', ' '), sentence],
  ] as const)
    expect(assess(one, { quotes: [other] })).toMatchObject({ support: 'unjudged' });
});

it('missingFacts distinguishes a raised digit from the plain digit', () => {
  expect(assess('The flow is 102 liters.', { quotes: ['The flow is 10² liters.'] }).support).toBe('partial');
});
