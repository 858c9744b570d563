import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerPage, type PageFiles } from '../../../infra/local/page.ts';
import { readPageFiles } from '../../../infra/local/page-files.ts';
import { pageHeaders } from '../../../infra/local/page-headers.ts';
import { cleanUp, tempFolder } from '../../support/temp-folder.ts';

const SCRIPT = 'export const owls = 1;\n'.repeat(100);
let files: PageFiles | undefined;
let url: string;
const server = createServer((request, response) => {
  const address = new URL(request.url ?? '/', 'http://local');
  const page = { files: () => files, headers: pageHeaders(['https://login.example.org']) };
  if (!answerPage(page, request, response, address)) response.writeHead(404).end('not the page');
});

beforeAll(async () => {
  const outside = await tempFolder();
  const folder = join(outside, 'page');
  await mkdir(join(folder, 'assets'), { recursive: true });
  await mkdir(join(folder, '.vite'));
  await writeFile(join(outside, 'secret.txt'), 'secret');
  await writeFile(join(folder, 'index.html'), '<!doctype html>the page');
  await writeFile(join(folder, '.vite/manifest.json'), '{}');
  await writeFile(join(folder, 'assets/app-1a2b.js'), SCRIPT);
  await writeFile(join(folder, 'assets/app-1a2b.js.gz'), gzipSync(SCRIPT));
  files = readPageFiles(folder);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await cleanUp();
});

describe('static console files', () => {
  it.each([
    '/',
    '/index.html',
    '/w/1/chat',
    '/settings',
    '/apis',
    '/.vite/manifest.json',
    '/a%20b',
    '/%252e%252e/x',
  ])('serve %s', async (path) => {
    const answer = await fetch(url + path);
    expect([answer.status, await answer.text()]).toEqual([200, '<!doctype html>the page']);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it.each([
    '/api',
    '/api/',
    '/api/nowhere',
    '/%61pi/health',
    '/API/health',
    '/%2fapi/health',
    '/.well-known/oauth-protected-resource',
    '/objects/x',
    '/assets/app-old.js',
    '/assets/',
    '/%ff',
  ])('ignore %s', async (path) => {
    const answer = await fetch(url + path);
    expect([answer.status, await answer.text()]).toEqual([404, 'not the page']);
  });

  it.each(['/..%2fsecret.txt', '/%2e%2e/secret.txt', '/assets/..%2f..%2fsecret.txt', '/..%5csecret.txt'])(
    'expose nothing outside their folder for %s',
    async (path) => {
      expect(await (await fetch(url + path)).text()).not.toContain('secret');
    },
  );

  it('are read-only', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
      expect((await fetch(url, { method })).status).toBe(404);
    const head = await fetch(`${url}/w/1`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '23', '']);
  });

  it("load only their own scripts, and can't be framed", async () => {
    const { headers } = await fetch(url);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self' https://login.example.org;");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy.replace('https://login.example.org', '')).not.toMatch(/unsafe|\*|https?:/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('console file', () => {
  const path = '/assets/app-1a2b.js';

  it('is cached forever, and has an ETag', async () => {
    const first = await fetch(url + path, { headers: { 'accept-encoding': 'identity' } });
    expect(await first.text()).toBe(SCRIPT);
    expect(first.headers.get('cache-control')).toContain('immutable');
    expect(first.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const again = await fetch(url + path, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
  });

  it.each([
    ['gzip, br', 'gzip'],
    ['gzip;q=0', null],
    ['identity', null],
    ['br', null],
  ])('is served to %s as %s', async (accepted, encoding) => {
    const answer = await fetch(url + path, { headers: { 'accept-encoding': accepted } });
    expect([answer.headers.get('content-encoding'), await answer.text()]).toEqual([encoding, SCRIPT]);
  });
});

describe('console build', () => {
  it('lets a reloading page wait for its response, while the API continues', async () => {
    const before = files;
    files = undefined;
    const [page, api] = await Promise.all([fetch(`${url}/w/1`), fetch(`${url}/api/health`)]);
    files = before;
    expect([page.status, page.headers.get('retry-after'), api.status]).toEqual([503, '1', 404]);
    expect(await page.text()).toContain('http-equiv="refresh"');
  });
});
