import { describe, expect, it } from '@jest/globals';
import { cutDraft, draftOf, numberThrough } from '../../../lib/generate/draft.ts';
import type { Passage } from '../../../lib/ports/vectors.ts';
import { foundPassage } from '../../support/samples/found-passage.ts';

const passages: Passage[] = ['a', 'b', 'c', 'd'].map((path) => foundPassage(path));
const [a, b, c, d] = passages as [Passage, Passage, Passage, Passage];

describe('draftOf', () => {
  it.each([
    [
      'keeps cited sources, numbered from 1 in order of use',
      'One [3]. Two [1][3].',
      'One [1]. Two [2][1].',
      [c, a],
    ],
    [
      "keeps numbers that weren't offered as text",
      'One [9]. Two [2, 7]. Three [0].',
      'One \\[9]. Two [1]. Three \\[0].',
      [b],
    ],
    ['reads lists and ranges', 'One [2-4].', 'One [1][2][3].', [b, c, d]],
    ['keeps code and links unchanged', '`x[1]` and [2](a) [4]', '`x[1]` and [2](a) [1]', [d]],
    ['accepts a text without sources', 'Nothing.', 'Nothing.', []],
  ])('%s', (_what, text, expected, sources) => {
    expect(draftOf(text, passages)).toEqual({ text: expected, sources });
  });
});

describe('numberThrough', () => {
  it('gives one number to a passage that several drafts cite', () => {
    const drafts = [draftOf('One [2]. Two [1].', [a, b]), draftOf('Three [1]. Four [2].', [c, a])];
    expect(numberThrough(drafts)).toEqual({
      texts: ['One [1]. Two [2].', 'Three [3]. Four [2].'],
      sources: [b, a, c],
    });
  });
});

describe('cutDraft', () => {
  it('truncates at the end of a sentence, with the sources that only the rest cited', () => {
    const draft = draftOf('One [1]. Two [2]. Three [3].', passages);
    expect(cutDraft(draft, 20)).toEqual({ text: 'One [1]. Two [2].', sources: [a, b] });
    expect(cutDraft(draft, 1000)).toBe(draft);
  });

  it('does not cut far before the limit for the end of a sentence', () => {
    const { text } = cutDraft({ text: `# Title\n\n${'word '.repeat(100)}`, sources: [] }, 100);
    expect(text.length).toBeGreaterThan(90);
  });

  it('never splits a character', () => {
    const { text } = cutDraft({ text: '研究'.repeat(10), sources: [] }, 20);
    expect(text).toBe('研究'.repeat(3));
  });
});
