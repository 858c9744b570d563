import { expect, it } from '@jest/globals';
import { pathWithLines } from '../../../lib/api-contract/shown-place.ts';

it.each([
  [{ path: 'a.md', startLine: 3, endLine: 5 }, 'a.md:3-5'],
  [{ path: 'a.md', startLine: 3, endLine: 3 }, 'a.md:3'],
  [{ path: 'b/A.PDF', startLine: 3, endLine: 5 }, 'b/A.PDF'],
])('pathWithLines names the location %j as %s', (place, name) => {
  expect(pathWithLines(place)).toBe(name);
});
