import { describe, expect, it } from '@jest/globals';
import { latexBlocks } from '../../../../lib/verify/draft/latex-blocks.ts';

const LENGTH = 200_000;

describe('latexBlocks', () => {
  it.each(['\\[', '\\href{', '\\footnote{', '\\begin{align}'])(
    'reads a long draft of openings that nothing closes in time: %s',
    (opening) => {
      const before = process.cpuUsage();
      latexBlocks(opening.repeat(LENGTH / opening.length));
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1e6).toBeLessThan(1.5); // it took 3 s and more
    },
  );

  it('finds the end of an argument, over escaped braces and nested ones', () => {
    const source = 'Owls\\footnote{A \\} note \\textbf{of {two} \\\\} words.} sleep.';
    const shown = latexBlocks(source).map(({ shown: text }) => text.replaceAll('\0', '').trim());
    expect(shown).toEqual(['Owls sleep.', 'A } note of two    words.']);
  });
});
