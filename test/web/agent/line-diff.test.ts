import { describe, expect, it } from '@jest/globals';
import { diffEdits } from '../../../web/agent/line-diff.ts';
import { showChangedLine } from '../../../web/agent/tool-text.ts';

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`);

function drawn(before: string[], after: string[]): string[] {
  const edit = { before: `${before.join('\n')}\n`, after: `${after.join('\n')}\n` };
  const [change = []] = diffEdits([edit]).changes;
  return change.map(({ sign, text, folded }) => (folded ? `⋯ ${folded}` : `${sign} ${text}`));
}

describe('drawn change', () => {
  it('shows removed and added lines, and folds distant ones', () => {
    const before = lines(30);
    expect(drawn(before, before.with(10, 'new'))).toEqual([
      '⋯ 7',
      ...['  line 7', '  line 8', '  line 9', '- line 10', '+ new', '  line 11', '  line 12', '  line 13'],
      '⋯ 16',
    ]);
  });

  it('folds nothing in a new file or in an unchanged file', () => {
    expect(drawn([], lines(9))).toHaveLength(10);
    expect(drawn(lines(9), lines(9))).toEqual(lines(9).map((line) => `  ${line}`));
  });

  it('marks only an added or removed line break at the end', () => {
    const change = (before: string, after: string) => diffEdits([{ before, after }]).changes[0];
    expect(change('a\nx\n', 'a\nx')).toEqual([
      ...[
        { sign: ' ', text: 'a' },
        { sign: '-', text: 'x' },
      ],
      { sign: '+', text: 'x', isOpen: true },
    ]);
    expect(change('x', 'x\n')).toEqual([
      { sign: '-', text: 'x', isOpen: true },
      { sign: '+', text: 'x' },
    ]);
    expect(change('x', 'y')).toEqual([
      { sign: '-', text: 'x' },
      { sign: '+', text: 'y' },
    ]);
    expect(change('', 'x')).toEqual([{ sign: '+', text: 'x' }]);
  });

  it('reaches a change at the end of a long file', () => {
    const before = lines(5000);
    expect(drawn(before, [...before.slice(0, -1), 'new'])).toEqual([
      '⋯ 4996',
      ...['  line 4996', '  line 4997', '  line 4998', '- line 4999', '+ new'],
    ]);
  });
});

describe('changed line', () => {
  it.each([
    ['x\r', 'x\\u{d}'],
    ['x   ', 'x\\u{20}×3'],
    ['x \t\r', 'x\\u{20}\\u{9}\\u{d}'],
    ['', ''],
    ['  a b', '  a b'],
  ])('shows its line ending: %j', (text, shown) => {
    expect(showChangedLine(text)).toBe(shown);
  });

  it('is fast with many spaces', () => {
    expect(showChangedLine(`${' '.repeat(200_000)}x`)).toHaveLength(200_001);
  });
});
