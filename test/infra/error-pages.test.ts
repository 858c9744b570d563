import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { errorPages } from '../../infra/error-pages.ts';

it('docs/reference has a page per error code, and an index: else run npm run errors', () => {
  const files = ['docs/reference/errors.md', ...globSync('docs/reference/errors/*.md')].sort();
  const written = Object.fromEntries(files.map((file) => [file, readFileSync(file, 'utf8')]));
  const expected = errorPages();
  expect(files).toEqual(Object.keys(expected).sort());
  expect(written).toEqual(expected);
});
