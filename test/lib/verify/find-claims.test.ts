import { describe, expect, it } from '@jest/globals';
import { findClaims } from '../../../lib/verify/find-claims.ts';

/** Returns how many claims a draft of one sentence has. */
function claimsIn(text: string): number {
  return findClaims({ text, sentences: [{ text, start: 0, end: text.length }] }).claims.length;
}

describe('a sentence that only refers to another place', () => {
  it.each([
    'See the notes and code.',
    'Please see Section 3.2.',
    '(See Table 2 and Figure 4.)',
    'Cf. [3].',
    'See https://example.com/data?id=7.',
    'For more information, see the documentation.',
    '参见第 3 章。',
    '详情见附录。',
    '更多信息，请参阅笔记和代码。',
  ])('contains no claim: %s', (text) => expect(claimsIn(text)).toBe(0));

  it.each([
    'See the notes, which show that owls hunt at night.',
    'See the report of 2023 on the plant.',
    'See Table 2: owls hunt at night.',
    'See the notes of those who say that all owls hunt at night.',
    'The notes and code are wrong.',
    'Seeing the notes changed the result.',
    'For details, the notes are useless.',
    '见习医生有 40 人。',
    '参见第 3 章，猫头鹰在夜间捕猎。',
  ])('contains a claim if it says more: %s', (text) => expect(claimsIn(text)).toBe(1));
});
