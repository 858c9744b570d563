import { describe, expect, it } from '@jest/globals';
import { lineEndOf, withLineEnds } from '../../../web/files/edit/line-ends.ts';

describe('line endings', () => {
  it.each([
    ['a\r\nb\r\nc\n', '\r\n'],
    ['a\nb\r\n', '\n'],
    ['a', '\n'],
    ['', '\n'],
  ] as const)('are detected in %j: %j', (text, end) => {
    expect(lineEndOf(text)).toBe(end);
  });

  it('are restored unchanged', () => {
    expect(withLineEnds('a\nb\n', '\r\n')).toBe('a\r\nb\r\n');
    expect(withLineEnds('a\r\nb\n', '\r\n')).toBe('a\r\nb\r\n');
    expect(withLineEnds('a\r\nb\n', '\n')).toBe('a\nb\n');
  });
});
