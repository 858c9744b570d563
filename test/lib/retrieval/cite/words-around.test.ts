import { describe, expect, it } from '@jest/globals';
import { showPassage, wordsAround } from '../../../../lib/retrieval/cite/words-around.ts';
import { isTakenBack } from '../../../../lib/support/rules/takes-back.ts';

function around(text: string, quote: string, headings?: string) {
  const start = text.indexOf(quote);
  return wordsAround(
    { text, runs: [{ start: 0, end: text.length }] },
    { start, end: start + quote.length },
    headings,
  );
}

/** Returns the shown context of a row: the words next to it, without the passage. */
const near = ({ before, after }: ReturnType<typeof wordsAround>) => showPassage({ before, after });

describe('the words around a quote', () => {
  it.each([
    [
      'the rest of its sentence',
      'It is a myth that [owls are blind], some say. They see.',
      'It is a myth that […] , some say. They see.',
    ],
    ['the sentences before and after', 'One. Two. [Owls fly.] Three. Four.', 'Two. […] Three.'],
    [
      'the words above a list',
      'One. These are false:\n\n- Hawks swim.\n- [Owls are blind.]\n- Bats read.\n',
      'One. These are false: - […]',
    ],
    [
      'the header and the rest of a row',
      'One.\n\n| Claim | Is |\n|---|---|\n| A. | true |\n| [Owls are blind.] | false |\n| B. | true |',
      'One. | Claim | Is | | […] | false |',
    ],
    ['a heading', '# Myths\n\nOne. Two. [Owls are blind.]', '# Myths Two. […]'],
    [
      'a line that is no sentence',
      'It is not the case that\n[owls are blind.]\n\nNobody says so.',
      'It is not the case that […] Nobody says so.',
    ],
    ['nothing', '[Owls fly.]', ''],
  ])('are %s', (_, marked, shown) => {
    const [before = '', quote = '', after = ''] = marked.split(/[[\]]/);
    expect(near(around(`${before}${quote}${after}`, quote))).toBe(shown);
  });

  it('are visible to readers', () => {
    const html = '<p>False are:</p> <!-- true --><ul><li>Owls swim.</li><li>Owls are blind.</li></ul>';
    const runs = ['False are:', 'Owls swim.', 'Owls are blind.'].map((text) => {
      return { start: html.indexOf(text), end: html.indexOf(text) + text.length };
    });
    expect(near(wordsAround({ text: html, runs }, runs[2] ?? { start: 0, end: 0 }))).toBe('False are: - […]');
  });

  it('are longer for a judge, who gets the whole passage or, for a row, only its table', () => {
    const far = 'We measured 630 sites in Osaka. '.padEnd(500, 'Each had a roof. ');
    const text = `# Roofs\n\n${far}The mean was 2.5 °C. One. Two. It held at night.`;
    const found = around(text, 'The mean was 2.5 °C.');
    expect(near(found)).not.toContain('630');
    expect(showPassage(found)).toMatch(
      /^# Roofs We measured 630 sites .* \[…\] One\. Two\. It held at night\.$/,
    );
    const row = around(`${far}\n\n| Place | Mean |\n|---|---|\n| Osaka | 2.5 |`, '| Osaka');
    expect(showPassage(row)).toBe(near(row));
  });

  it('are limited in length, however long the text is', () => {
    const items = Array.from({ length: 20_000 }, (_, at) => `- Item ${at} of the list\n`).join('');
    const text = `${'long '.repeat(9000)}\n\n${items}- Owls are blind\n${'more '.repeat(9000)}`;
    const wide = around(text, 'Owls are blind', 'title '.repeat(900));
    expect(near(wide).length).toBeLessThan(1000);
    expect(showPassage(wide).length).toBeLessThan(2000);
  });
});

describe('words that retract a quote', () => {
  it.each([
    ['The following is false:', ''],
    ['We asked whether', ''],
    ['Hypothesis 1:', ''],
    ['Is it true?', 'No. It never was.'],
    ['Nobody believes this.', ''],
    ["It isn't true that", ''],
    ['~~', '~~'],
    ['', '| refuted |'],
    ['谣言：', ''],
  ])('include %j before and %j after it', (before, after) => {
    expect(isTakenBack({ before, after })).toBe(true);
  });

  it.each([
    ['We asked whether owls hunt by day.', 'Other birds do.'],
    ['They tested this hypothesis in Norway.', 'No owl was seen in May.'],
    ['It was not so ominous.', ''],
  ])('do not include %j before and %j after it', (before, after) => {
    expect(isTakenBack({ before, after })).toBe(false);
  });
});
