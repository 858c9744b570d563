import { expect, it } from '@jest/globals';
import { numberFormatOf, showNumbers } from '../../../../lib/formats/office/numbers.ts';

it('number formats try an unknown Excel code once per file', () => {
  let tried = 0;
  const show = showNumbers((code, value) => {
    if (code === '0.0') return value.toFixed(1);
    tried += 1;
    throw new Error('no such format');
  });
  const [bad, good] = [numberFormatOf(170, '0"'), numberFormatOf(171, '0.0')];
  expect([1, 2, 3].map((value) => show(value, bad))).toEqual(['1', '2', '3']);
  expect([1, 2, 3].map((value) => show(value, good))).toEqual(['1 (1.0)', '2 (2.0)', '3 (3.0)']);
  expect(tried).toBe(1);
});

it('number formats have no code that is longer than those of Excel', () => {
  expect(numberFormatOf(170, '0'.repeat(255)).code).toHaveLength(255);
  expect(numberFormatOf(170, '0'.repeat(256)).code).toBeUndefined();
});
