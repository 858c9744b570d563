import { describe, expect, it } from '@jest/globals';
import { diffEdits } from '../../../web/agent/line-diff.ts';

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`);

function drawn(before: string[], after: string[]): string[] {
  const edit = { before: `${before.join('\n')}\n`, after: `${after.join('\n')}\n` };
  const [change = []] = diffEdits([edit]).changes;
  return change.map(({ sign, text, folded }) => (folded ? `⋯ ${folded}` : `${sign} ${text}`));
}

describe('a change as it is drawn', () => {
  it('shows what is lost and what comes, and folds what is far from both', () => {
    const before = lines(30);
    expect(drawn(before, before.with(10, 'new'))).toEqual([
      '⋯ 7',
      ...['  line 7', '  line 8', '  line 9', '- line 10', '+ new', '  line 11', '  line 12', '  line 13'],
      '⋯ 16',
    ]);
  });

  it('folds nothing of a new file, nor of one that stays', () => {
    expect(drawn([], lines(9))).toHaveLength(10);
    expect(drawn(lines(9), lines(9))).toEqual(lines(9).map((line) => `  ${line}`));
  });

  it('reaches a change at the end of a long file', () => {
    const before = lines(5000);
    expect(drawn(before, [...before.slice(0, -1), 'new'])).toEqual([
      '⋯ 4996',
      ...['  line 4996', '  line 4997', '  line 4998', '- line 4999', '+ new'],
    ]);
  });
});
