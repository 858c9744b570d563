import { describe, expect, it } from '@jest/globals';
import { formatAgo, formatBytes } from '../../../web/parts/format.ts';

describe('file size', () => {
  it.each([
    [0, '0 B'],
    [33, '33 B'],
    [999, '999 B'],
    [1000, '1 kB'],
    [38_400, '38 kB'],
    [4_500_000, '4.5 MB'],
    [270_600_000_000, '270.6 GB'],
    [5e15, '5,000 TB'],
  ])('is formatted for %d bytes as %s', (bytes, said) => {
    expect(formatBytes(bytes, 'en')).toBe(said.replace(' ', '\u00a0'));
  });

  it('has the number format of the language', () => {
    expect(formatBytes(4_500_000, 'de')).toBe('4,5\u00a0MB');
  });
});

describe('relative time', () => {
  it.each([
    ['en', 5_000, 'now'],
    ['zh-CN', 5_000, '刚刚'],
    ['zh-CN', 180_000, '3 分钟前'],
  ])('is shown in %s, %d ms later: %s', (language, ms, said) => {
    const time = '2026-11-26T07:00:00Z';
    expect(formatAgo(time, language, Date.parse(time) + ms)).toBe(said);
  });
});
