import { describe, expect, it } from '@jest/globals';
import { readPatch } from '../../../web/git/read-patch.ts';

describe('readPatch', () => {
  it('reads blocks with the numbers of both sides', () => {
    const patch = '@@ -3,3 +3,4 @@ function hoot()\n a\n-b\n+c\n+d\n e\n\\ No newline at end of file\n';
    expect(readPatch(patch)).toEqual([
      {
        title: 'function hoot()',
        blocks: [
          { isChange: false, old: [{ number: 3, text: 'a' }], fresh: [{ number: 3, text: 'a' }] },
          {
            isChange: true,
            old: [{ number: 4, text: 'b' }],
            fresh: [
              { number: 4, text: 'c' },
              { number: 5, text: 'd' },
            ],
          },
          {
            isChange: false,
            old: [{ number: 5, text: 'e' }],
            fresh: [{ number: 6, text: 'e', isOpen: true }],
          },
        ],
      },
    ]);
  });

  it('reads a patch that was cut, and lines that look like heads', () => {
    const [hunk, other] = readPatch('@@ -1,9 +1,9 @@\n-@@ -1 +1 @@\n+--- a\n@@ -20 +20 @@\n-x');
    expect(hunk?.blocks[0]).toMatchObject({ old: [{ text: '@@ -1 +1 @@' }], fresh: [{ text: '--- a' }] });
    expect(other?.blocks[0]?.old).toEqual([{ number: 20, text: 'x' }]);
    expect(readPatch('')).toEqual([]);
    expect(readPatch('nothing')).toEqual([]);
  });
});
