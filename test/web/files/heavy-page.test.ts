import { describe, expect, it } from '@jest/globals';
import { isHeavyPage } from '../../../web/files/heavy-page.ts';

describe('isHeavyPage', () => {
  it.each(['<table><tr><td>', '<MARQUEE x>', '<ruby>a<rt>'])(
    'finds a thousand of %s within each other',
    (tag) => {
      expect(isHeavyPage(tag.repeat(1_000))).toBe(true);
    },
  );

  it('lets a page with many tables be drawn', () => {
    expect(isHeavyPage(`${'<table><tr><td>1</table>'.repeat(200)}${'<p>tables <b>'.repeat(10_000)}`)).toBe(
      false,
    );
  });
});
