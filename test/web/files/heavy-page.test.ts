import { describe, expect, it } from '@jest/globals';
import { isHeavyPage } from '../../../web/files/heavy-page.ts';

describe('isHeavyPage', () => {
  it.each(['<table><tr><td>', '<MARQUEE x>', '<ruby>a<rt>'])('detects a thousand nested %s', (tag) => {
    expect(isHeavyPage(tag.repeat(1_000))).toBe(true);
  });

  it('allows a page with many tables', () => {
    expect(isHeavyPage(`${'<table><tr><td>1</table>'.repeat(200)}${'<p>tables <b>'.repeat(10_000)}`)).toBe(
      false,
    );
  });
});
