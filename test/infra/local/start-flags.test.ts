import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { readStartOptions, START_FLAGS, START_VARIABLES } from '../../../infra/local/start-flags.ts';

it('start flags are the same wherever the service is started', () => {
  const root = resolve(import.meta.dirname, '../../..');
  const { scripts } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'));
  const variables = Object.entries(START_VARIABLES).map(
    ([name, value]) => `${name}=${value.replace(`${root}/`, '')}`,
  );
  expect(scripts.start).toBe(
    ['exec env', ...variables, 'node', ...START_FLAGS, 'infra/local/start.ts'].join(' '),
  );
});

it.each<[string[], Record<string, unknown>]>([
  [[], { roots: [] }],
  [['/srv/code', '/srv/papers'], { roots: ['/srv/code', '/srv/papers'] }],
  [['--embedded'], { embedded: true }],
  [['--aws'], { aws: 'http://127.0.0.1:4566' }],
  [
    ['--aws', '--dynamodb', 'http://127.0.0.1:8000'],
    { aws: 'http://127.0.0.1:4566', dynamodb: 'http://127.0.0.1:8000' },
  ],
  [['--aws', 'http://localhost:4566/'], { aws: 'http://127.0.0.1:4566' }],
  [['--aws=https://aws.example.org'], { aws: 'https://aws.example.org' }],
])('start flags accept %j', (args, options) => {
  expect(readStartOptions(args)).toMatchObject(options);
});

it.each([
  [['--aws', 'localhost:4566'], '--aws must be a URL such as http://127.0.0.1:4566.'],
  [['--aws', '--dynamodb', 'x'], '--dynamodb must be a URL such as http://127.0.0.1:4566.'],
  [['--dynamodb', 'http://127.0.0.1:8000'], '--dynamodb needs --aws: add --aws, or omit both.'],
  [['--emulator'], "Unknown option '--emulator'"],
])('start flags reject %j', (args, message) => {
  expect(() => readStartOptions(args)).toThrow(message);
});
