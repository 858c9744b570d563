import { describe, expect, it } from '@jest/globals';
import { formatOf } from '../../../lib/formats/all-formats.ts';

describe('formatOf', () => {
  it.each([
    ['a/B.PDF', 'pdf'],
    ['x.xhtml', 'html'],
    ['notes.md', 'markdown'],
    ['data.csv', 'rows'],
    ['lib/x.ts', 'code'],
    ['Makefile', 'text'],
    ['.env', undefined],
    ['photo.jpg', undefined],
    ['noending', undefined],
  ])('%s is %s', (path, name) => {
    expect(formatOf(path)?.name).toBe(name);
  });
});
