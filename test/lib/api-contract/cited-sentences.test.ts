import { describe, expect, it } from '@jest/globals';
import { findCitedSentences, sentencesOf } from '../../../lib/api-contract/cited-sentences.ts';
import { cpuTimeOf } from '../../support/processes/cpu-time.ts';

/** Returns each claim with the numbers of its marker and the preceding ones. */
function cited(answer: string): string[] {
  return findCitedSentences(answer).map(
    ({ claim, numbers, earlier }) =>
      `${claim} ${numbers.join()}${earlier.length > 0 ? ` (${earlier.join()})` : ''}`,
  );
}

describe('findCitedSentences', () => {
  it.each<[string, string[]]>([
    ['Apes climb trees [1]. Bears swim well [2].', ['Apes climb trees. 1', 'Bears swim well. 2']],
    ['Apes climb trees. [1] Bears swim well. [2]', ['Apes climb trees. 1', 'Bears swim well. 2']],
    ['Apes climb trees [2][1].', ['Apes climb trees. 2,1']],
    ['Apes climb. [1] [3, 4]\n', ['Apes climb. 1,3,4']],
    ['Apes climb trees.\n[1]', ['Apes climb trees. 1']],
    ['[1] says that apes climb.', ['says that apes climb. 1']],
    ['- Apes climb trees [1]\n- Bears swim [1]', ['Apes climb trees 1', 'Bears swim 1']],
    ['1. Apes climb trees [1].\n2. Bears swim [2].', ['Apes climb trees. 1', 'Bears swim. 2']],
    ['Apes climb [1] in 1990.', ['Apes climb in 1990. 1']],
    [
      'Apes climb 5 m [1], and bears swim 7 km [2] a day.',
      ['Apes climb 5 m 1', 'Apes climb 5 m, and bears swim 7 km a day. 2 (1)'],
    ],
    ['According to [1], apes climb.', ['According to, apes climb. 1']],
    [
      'According to [1], apes climb, and bears swim [2].',
      ['According to, apes climb, and bears swim. 1,2 (1,2)'],
    ],
    ['Dr. Mair saw apes, e.g. in Goa [1]. Then no more.', ['Dr. Mair saw apes, e.g. in Goa. 1']],
    ['Version 3.5 climbs [1].', ['Version 3.5 climbs. 1']],
    ['猴子会爬树而且很快[1]。熊会游泳也会爬树【2】。', ['猴子会爬树而且很快。 1', '熊会游泳也会爬树。 2']],
    ['“Apes climb.” [1] Bears swim [2].', ['“Apes climb.” 1', 'Bears swim. 2']],
    ['| Apes | 5 m [1] |\n| Bears | 7 km [2] |', ['Apes | 5 m | 1', 'Bears | 7 km | 2']],
    ['`list[1]` and [1](https://a.b) and [0, 1]', []],
    ['[1]', []],
  ])('finds the sentences of %j', (answer, expected) => {
    expect(cited(answer)).toEqual(expected);
  });

  it('is fast with long answers of brackets', async () => {
    const find = () =>
      ['[1,', '[1-', '[1] ', 'a [1]. ', '. ', '"', 'apes climb 5 [1] '].map((piece) =>
        cited(piece.repeat(50_000)),
      );
    expect(await cpuTimeOf(find)).toBeLessThan(5000);
  });
});

describe('sentencesOf', () => {
  it('returns the positions of the sentences in the answer, and whether they cite', () => {
    const answer = '# Apes\n\nApes climb 5 m. They rest [1].\n\n```\n7 km\n```\n\nBears swim. [2] Then 9?';
    const sentences = sentencesOf(answer).filter(({ text }) => text !== 'Apes');
    expect(sentences.map(({ start, end, isCited }) => [answer.slice(start, end), isCited])).toEqual([
      ['Apes climb 5 m.', false],
      ['They rest [1].', true],
      ['Bears swim.', true],
      ['Then 9?', false],
    ]);
  });
});
