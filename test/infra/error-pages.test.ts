import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { ERRORS_PAGE, errorsPage } from '../../infra/error-pages.ts';

it('docs/reference/errors.md has a row per error code (otherwise, run npm run errors)', () => {
  expect(readFileSync(ERRORS_PAGE, 'utf8')).toBe(errorsPage());
});
