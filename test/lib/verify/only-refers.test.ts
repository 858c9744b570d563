import { describe, expect, it } from '@jest/globals';
import { findClaims } from '../../../lib/verify/find-claims.ts';

/** How many claims a draft of one sentence has. */
function claimsIn(text: string): number {
  return findClaims({ text, sentences: [{ text, start: 0, end: text.length }] }).claims.length;
}

describe('a sentence that only refers', () => {
  it.each([
    'See the notes and code.',
    'See also the field notes and the analysis code.',
    'Please see Section 3.2.',
    '(See Table 2 and Figure 4.)',
    'Cf. [3].',
    'See https://example.com/data?id=7.',
    'Refer to appendix B for details.',
    'For more information, see the documentation.',
    'Details are in the appendix.',
    'Further details can be found in notes/owls.md.',
    'More examples are given on pages 12 and 13.',
    '参见第 3 章。',
    '详情见附录。',
    '更多信息，请参阅笔记和代码。',
    '参见图 2 和 [3]。',
  ])('holds no claim: %s', (text) => expect(claimsIn(text)).toBe(0));

  it.each([
    'See the owls hunt at night.',
    'See how the notes disagree with the code.',
    'See the notes, which show that owls hunt at night.',
    'See the report of 2023, when the plant closed.',
    'See no safety report.',
    'See Table 2: owls hunt at night.',
    'See the toxic water report.',
    'See the dead whales in Figure 2.',
    'The proofs are found in the stolen files.',
    'All examples are from the annual report.',
    'The notes and code are wrong.',
    'Details are in dispute.',
    'Details are in the hands of the mayor.',
    'Seeing the notes changed the result.',
    'For details, the notes are useless.',
    '见习医生有 40 人。',
    '参见第 3 章，猫头鹰在夜间捕猎。',
    '见附录可知猫头鹰在夜间捕猎。',
  ])('still holds one: %s', (text) => expect(claimsIn(text)).toBe(1));
});
