import { describe, expect, it } from '@jest/globals';
import { depthOf, headingLevels } from '../../../web/parts/markdown/heading-levels.ts';
import { readBlocks } from '../../../web/parts/markdown/read-blocks.ts';

function ranksOf(text: string): (number | undefined)[] {
  return headingLevels((readBlocks(text) ?? []).map(depthOf)).filter((rank) => rank !== undefined);
}

describe('headingLevels', () => {
  it.each([
    ['# a\n\ntext\n\n## b\n\n### c\n\n## d\n\n# e', [0, 1, 2, 1, 0]],
    ['### a\n\n### b', [0, 0]],
    ['## a\n\n#### b\n\n### c\n\n###### d', [0, 1, 1, 2]],
    ['### a\n\n# b\n\n### c', [0, 0, 1]],
    ['no heading', []],
  ])('has no gaps in %j', (text, ranks) => {
    expect(ranksOf(text)).toEqual(ranks);
  });

  it("keeps the levels of a growing text's blocks", () => {
    const text = '## a\n\n#### b\n\n# c\n\n## d';
    const all = ranksOf(text);
    for (let end = 1; end <= 4; end++) {
      const some = ranksOf(text.split('\n\n').slice(0, end).join('\n\n'));
      expect(some).toEqual(all.slice(0, end));
    }
  });
});
