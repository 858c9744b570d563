import { describe, expect, it } from '@jest/globals';
import { foundWords } from '../../../web/search/found-words.ts';

const marked = (text: string, question: string) =>
  foundWords(text, question)
    .filter(({ isFound }) => isFound)
    .map((piece) => piece.text);

describe('foundWords', () => {
  it.each([
    ['Owls hunt; an owl.', 'owl', ['Owls', 'owl']],
    ['A bowl of owls', 'owl', ['owls']],
    ['a of to', 'a of to', []],
    ['cost: (1.5) $x', '(1.5) $x .*', []],
    [
      '\u732B\u5934\u9E70\u5728\u591C\u95F4\u72E9\u730E',
      '\u591C\u95F4\u72E9\u730E',
      ['\u591C\u95F4', '\u72E9\u730E'],
    ],
    ['nothing', '', []],
  ])('marks in %j for %j', (text, question, found) => {
    expect(marked(text, question)).toEqual(found);
  });

  it('loses nothing of the text', () => {
    const text = 'Owls hunt at night.\nOwls sleep.';
    expect(
      foundWords(text, 'owls night')
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });

  it('bears a question of many words', () => {
    expect(
      foundWords('word1', Array.from({ length: 400 }, (_, at) => `word${at}`).join(' ')).length,
    ).toBeGreaterThan(0);
  });
});
