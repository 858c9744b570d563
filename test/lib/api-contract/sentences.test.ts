import { describe, expect, it } from '@jest/globals';
import { splitSentences } from '../../../lib/api-contract/sentences.ts';

/** Here, `|` separates sentences and isn't part of the text. */
const TEXTS = [
  // After abbreviations, initials, and numbers.
  'Hello World. |My name is Jonas E. Smith.',
  'At 5 a.m. it rained in the U.S. for 20 minutes. |Then it stopped.',
  'I live in the E.U. |How about you?',
  'As Smith et al. (2019) say in Fig. 3A, 5.2 kg, i.e. much, is lost. |See Dr. Lee et al. |We agree.',
  'They closed the deal with Pitt, Briggs & Co. at noon. |It closed yesterday.',
  'O.C. Marsh and J.G. Ballard met in the U.K. |They left.',
  'J. Smith and A. B. Miller wrote it. |S. aureus does not grow. |E. coli does.',
  'They lack vitamin C. |It is bad. |The rate was approx. 5 % vs. Berlin. |It fell on Jan. 5. |It rose.',
  'Please turn to p. 55. |No. 7 is missing. |Version 2.0 was out.',
  '1. First point. |2) It is new.',
  'Her email is Jane.Doe@example.com. |The site is https://www.example.50.com/a.html. |Please check.',
  'Die Sitzung war am 1. Januar 2024. |Am 3. März kam Version 5. |Jan war da.',
  'It fell by 2.5 °C. |Nobody knows. |The fuse takes 10 A. |It blew.',
  // Before a number.
  'It took four years at shallow sites. |588 adults were randomized. |12 of them left (see Table. 3 and Chap. 4 there).',
  'It was so in rivers. |40 owls sleep. |Recovery was slow.[1] |1,240 cranes rest in Berlin. |See approx. 5 mice, No. 7 here.',
  // Within brackets and quotation marks.
  'He teaches science (He worked for 5 years.) at the University. |It is old.',
  'The value (see Eq. 3. It holds) is 4. |Done.',
  'She said, "This is great." |She held the book out. |"Really?" he asked.',
  'She works at Yahoo! in accounting. |Hello!! |Long time no see.',
  'Wait... |It moved. |Is it so? |Yes!',
  // A citation belongs to the sentence before it.
  'Owls sleep.[1] |Cats do not [2, 3]. |Apes climb. (Jones, 2019) |They eat. [4-6] |Dogs bark.¹ |It ends.²',
  'Dogs (Smith et al., 2020; Lee, 2021) bark. |(It was so in 2020.) |The end.',
  // Chinese.
  '猫头鹰在夜间活动。|它们“很安静。”|它们吃老鼠！|真的吗？|是的[1]。|她说：“好。”|然后走了。',
  '温度为3.5度。|Smith等人（2020）发现。[2]|他们同意（见图3）。',
  // Line breaks are spaces.
  'Owls sleep by day and\nhunt at night. |Cats\r\ndo not.',
];

describe('splitSentences', () => {
  it.each(TEXTS)('splits %j', (marked) => {
    const text = marked.replaceAll('|', '');
    const expected = marked.split('|').map((sentence) => sentence.trim());
    expect(splitSentences(text).map(({ start, end }) => text.slice(start, end))).toEqual(expected);
  });

  it('ignores skipped text', () => {
    const text = '\0\0Owls \0sleep.\0\0 \0Cats do\0 not.\0';
    expect(splitSentences(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      'Owls \0sleep.',
      'Cats do\0 not.',
    ]);
  });

  it('takes time linear in the length of the text', () => {
    for (const piece of ['(a. ', 'A. ', '[1] ', '1. ', '(2020 ', '. ', 'et al. '])
      expect(splitSentences(piece.repeat(20_000)).at(-1)?.end).toBeLessThanOrEqual(piece.length * 20_000);
  });
});
