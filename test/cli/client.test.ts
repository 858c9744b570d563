import { expect, it } from '@jest/globals';
import { baseOf } from '../../cli/client.ts';

it.each([
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000/api/health'],
  ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000/api/health'],
  [
    'https://a.execute-api.eu-west-1.amazonaws.com/dev',
    'https://a.execute-api.eu-west-1.amazonaws.com/dev/api/health',
  ],
])('baseOf returns for %s: %s', (url, address) => {
  expect(`${baseOf(url)}/api/health`).toBe(address);
});
