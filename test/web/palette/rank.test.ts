import { expect, it } from '@jest/globals';
import { rank } from '../../../web/palette/rank.ts';

const textsOf = (texts: string[], typed: string) =>
  rank(
    texts.map((text) => ({ text })),
    typed,
  ).map(({ text }) => text);

it('rank shows all entries in their order while nothing is typed', () => {
  expect(textsOf(['b', 'a'], '  ')).toEqual(['b', 'a']);
});

it('rank requires every word, in any order and case', () => {
  expect(textsOf(['Owls at night', 'Owls', 'Night owls'], 'NIGHT owl')).toEqual([
    'Night owls',
    'Owls at night',
  ]);
});

it('rank lists names that start with the query first, then names with a word that starts with it', () => {
  expect(textsOf(['bowls', 'the owls', 'owls'], 'owl')).toEqual(['owls', 'the owls', 'bowls']);
});

it('rank ignores diacritics', () => {
  expect(textsOf(['Résumé', '猫头鹰 的笔记'], 'resume')).toEqual(['Résumé']);
  expect(textsOf(['Résumé', '猫头鹰 的笔记'], '笔记')).toEqual(['猫头鹰 的笔记']);
});

it('rank returns at most forty entries', () => {
  expect(
    textsOf(
      Array.from({ length: 500 }, (_, number) => `owl ${number}`),
      'owl',
    ),
  ).toHaveLength(40);
});
