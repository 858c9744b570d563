import { describe, expect, it } from '@jest/globals';
import { readLatexDraft } from '../../../../lib/verify/draft/latex-draft.ts';

const LENGTH = 200_000;

describe('readLatexDraft', () => {
  it.each(['\\[', '\\href{', '\\footnote{', '\\begin{align}'])(
    'reads a long draft of unclosed openings in time: %s',
    (opening) => {
      const before = process.cpuUsage();
      readLatexDraft(opening.repeat(LENGTH / opening.length));
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1e6).toBeLessThan(1.5); // it took 3 s and more
    },
  );

  it('reads endlessly nested notes', () => {
    const { blocks } = readLatexDraft(`${'\\footnote{a'.repeat(20_000)}${'}'.repeat(20_000)}`);
    expect(blocks.length).toBeGreaterThan(1);
  });

  it('finds the end of an argument that contains escaped and nested braces', () => {
    const source = 'Owls\\footnote{A \\} note \\textbf{of {two} \\\\} words.} sleep.';
    expect(readLatexDraft(source).text).toBe('Owls sleep.\n\nA } note of two words.');
  });

  it.each([
    [String.raw`It warmed by $2\,^{\circ}\mathrm{C}$ since 2019.`, 'It warmed by 2 °C since 2019.'],
    [String.raw`At 5$^\circ$C it froze.`, 'At 5°C it froze.'],
    [String.raw`It warmed in 2019 \cite{owls}.`, 'It warmed in 2019.'],
    ["``We will go back'', she said.", '“We will go back”, she said.'],
  ])('shows %s as it appears in print', (source, shown) => {
    expect(readLatexDraft(source).text).toBe(shown);
  });
});
