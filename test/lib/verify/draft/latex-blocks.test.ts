import { describe, expect, it } from '@jest/globals';
import { latexBlocks } from '../../../../lib/verify/draft/latex-blocks.ts';

const LENGTH = 200_000;

describe('latexBlocks', () => {
  it.each(['\\[', '\\href{', '\\footnote{', '\\begin{align}'])(
    'reads a long draft of openings that nothing closes in time: %s',
    (opening) => {
      const began = performance.now();
      latexBlocks(opening.repeat(LENGTH / opening.length));
      expect(performance.now() - began).toBeLessThan(2000); // it took 4 to 150 s
    },
  );

  it('finds the end of an argument, over escaped braces and nested ones', () => {
    const source = 'Owls\\footnote{A \\} note \\textbf{of {two} \\\\} words.} sleep.';
    const shown = latexBlocks(source).map(({ shown: text }) => text.replaceAll('\0', '').trim());
    expect(shown).toEqual(['Owls sleep.', 'A } note of two    words.']);
  });
});
