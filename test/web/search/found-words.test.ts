import { describe, expect, it } from '@jest/globals';
import { foundWords, fromBestMatch } from '../../../web/search/found-words.ts';

const marked = (text: string, question: string) =>
  foundWords(text, question)
    .filter(({ isFound }) => isFound)
    .map((piece) => piece.text);

describe('foundWords', () => {
  it.each([
    ['Owls hunt; an owl.', 'owl', ['Owls', 'owl']],
    ['A bowl of owls', 'owl', ['owls']],
    ['a of to', 'a of to', []],
    ['The owls that hunt', 'What are the owls that hunt?', ['owls', 'hunt']],
    ['cost: (1.5) $x', '(1.5) $x .*', []],
    [
      '\u732B\u5934\u9E70\u5728\u591C\u95F4\u72E9\u730E',
      '\u591C\u95F4\u72E9\u730E',
      ['\u591C\u95F4', '\u72E9\u730E'],
    ],
    ['nothing', '', []],
    ['The Müller café, a cafe', 'muller CAFÉ', ['Müller', 'café', 'cafe']],
    ['Gro\u0308\u00DFe und Fla\u0308che', 'größe FLÄCHE', ['Gro\u0308\u00DFe', 'Fla\u0308che']],
    ['Ёлка и ёж', 'елка', ['Ёлка']],
  ])('marks the words in %j for %j', (text, question, found) => {
    expect(marked(text, question)).toEqual(found);
  });

  it('keeps all of the text', () => {
    const text = 'Owls hunt at night.\nOwls sleep.';
    expect(
      foundWords(text, 'owls night')
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });

  it('starts a passage shortly before the first found word, at a whole word', () => {
    const footer = 'Written for the example of this service. '.repeat(20);
    const shown = fromBestMatch(foundWords(`${footer}Pale roofs are cooler.`, 'pale roofs'));
    expect(shown[0]?.text).toMatch(/^… \S/);
    expect(shown[0]?.text.length).toBeLessThan(180);
    expect(shown.slice(1).map(({ text }) => text)).toEqual(['Pale', ' ', 'roofs', ' are cooler.']);
    expect(fromBestMatch(foundWords('Pale roofs', 'roofs'))).toHaveLength(2);
    const lines = fromBestMatch(foundWords('Title\n\nHead\n\nWe saw roofs.', 'roofs'));
    expect(lines.map(({ text }) => text)).toEqual(['… We saw ', 'roofs', '.']);
  });

  it('starts a long passage where most of the words are', () => {
    const before = `Annual report on visitors.\n${'Members met often.\n'.repeat(20)}`;
    const shown = fromBestMatch(
      foundWords(`${before}The apple festival had 730 visitors.`, 'festival visitors'),
    );
    expect(shown.map(({ text }) => text).join('')).toBe(
      '… Members met often.\nThe apple festival had 730 visitors.',
    );
    expect(shown.flatMap(({ text, isFound }) => (isFound ? [text] : []))).toEqual(['festival', 'visitors']);
  });

  it('is fast with a question of many words', () => {
    expect(
      foundWords('word1', Array.from({ length: 400 }, (_, at) => `word${at}`).join(' ')).length,
    ).toBeGreaterThan(0);
  });
});
