import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { START_FLAGS, START_VARIABLES } from '../../../infra/local/start-flags.ts';

it('starts node as npm start does, wherever the service is started', () => {
  const { scripts } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../../package.json'), 'utf8'));
  const variables = Object.entries(START_VARIABLES).map(([name, value]) => `${name}=${value}`);
  expect(scripts.start).toBe(
    ['exec env', ...variables, 'node', ...START_FLAGS, 'infra/local/start.ts'].join(' '),
  );
});
