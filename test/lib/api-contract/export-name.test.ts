import { describe, expect, it } from '@jest/globals';
import { exportName } from '../../../lib/api-contract/export-name.ts';

describe('exportName', () => {
  it.each([
    ['When do owls hunt?', 'when-do-owls-hunt.md'],
    ['Was kühlt eine Straße am Nachmittag?', 'was-kühlt-eine-straße-am-nachmittag.md'],
    ['什么能让街道降温？', '什么能让街道降温.md'],
    ['../../etc/passwd\r\nx: y', 'etc-passwd-x-y.md'],
    ['"; rm -rf "', 'rm-rf.md'],
    ['con', 'report.md'],
    ['???', 'report.md'],
    ['\ud800', 'report.md'],
  ])('returns a file name for %j', (question, name) => {
    expect(exportName(question, 'md', 'report')).toBe(name);
  });

  it('ends at a word, within the length limits of file systems', () => {
    expect(exportName('owls '.repeat(50), 'md', 'report')).toBe(`${'owls-'.repeat(12).slice(0, -1)}.md`);
    for (const sign of ['x', '鳥', '𠮷']) {
      const name = exportName(sign.repeat(500), 'md', 'report');
      expect(Buffer.byteLength(name)).toBeLessThan(255);
      expect(name.isWellFormed()).toBe(true);
    }
  });
});
