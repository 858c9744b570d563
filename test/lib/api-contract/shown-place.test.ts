import { describe, expect, it } from '@jest/globals';
import { hasLines, pathWithLines } from '../../../lib/api-contract/shown-place.ts';
import { encodedFormats } from '../../../lib/formats/all-formats.ts';

describe('hasLines', () => {
  it('is false for all formats whose text is decoded, and for no other', () => {
    const decoded = encodedFormats.flatMap(({ extensions }) => extensions);
    expect(decoded.length).toBeGreaterThan(30);
    expect(decoded.filter((extension) => hasLines(`a.${extension}`))).toEqual([]);
    const others = ['md', 'txt', 'html', 'csv', 'tex', 'py', 'json', 'bib'];
    expect(others.filter((extension) => !hasLines(`a.${extension}`))).toEqual([]);
  });
});

it.each([
  [{ path: 'a.md', startLine: 3, endLine: 5 }, 'a.md:3-5'],
  [{ path: 'a.md', startLine: 3, endLine: 3 }, 'a.md:3'],
  [{ path: 'b/A.PDF', startLine: 3, endLine: 5 }, 'b/A.PDF'],
])('names the place %j as %s', (place, name) => {
  expect(pathWithLines(place)).toBe(name);
});
