import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findRunning } from '../../cli/service.ts';
import { tempFolder } from '../support/temp-folder.ts';

const tokens: (string | undefined)[] = [];
const server = createServer(({ headers }, response) => {
  tokens.push(headers.authorization);
  response.end('[]');
});
const before = { ...process.env };
let url: string;
let file: string;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = await tempFolder();
  Object.assign(process.env, { DATA_DIR: folder, WRS_TOKEN: 'secret' });
  file = join(folder, 'address.json');
});
afterAll(() => {
  process.env = before;
  server.close();
});

it('findRunning finds the service of a data folder, with its token', async () => {
  await writeFile(file, JSON.stringify({ url, pid: process.pid }));
  expect(await findRunning()).toEqual({ url, token: 'secret' });
  expect(tokens.splice(0)).toEqual(['Bearer secret']);
});

it.each([
  ['whose process has ended: another may listen there', () => ({ url, pid: 2 ** 22 + 1 })],
  ['without a process', () => ({ url })],
  ['with an invalid URL', () => ({ url: 'here', pid: process.pid })],
  ['that is empty', () => null],
])('findRunning sends no token and no question to a service %s', async (_what, written) => {
  await writeFile(file, JSON.stringify(written()));
  expect(await findRunning()).toBeUndefined();
  expect(tokens).toEqual([]);
});
