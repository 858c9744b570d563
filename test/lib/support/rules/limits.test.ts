import { expect, it } from '@jest/globals';
import { withoutSameLimits } from '../../../../lib/support/rules/limits.ts';

it.each([
  ['at most 20 fell', 'never fell more than 20', 'at most 20 fell', ' fell at most 20'],
  ["didn't fell fewer than 3", 'at least 3 fell', 'did fell at least 3', 'at least 3 fell'],
  ['more than 20 fell', 'never fell more than 20', 'more than 20 fell', 'never fell more than 20'],
  ['at most 30 fell', 'never fell more than 20', 'at most 30 fell', 'never fell more than 20'],
  ['at least 20 fell', 'never fell more than 20', 'at least 20 fell', 'never fell more than 20'],
])('takes denials of the same limit out of %j and %j', (one, other, ...plain) => {
  expect(withoutSameLimits(one, other)).toEqual(plain);
});
