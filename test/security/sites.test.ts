import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { startService } from '../support/service.ts';

const service = await startService({ AUTH_MODE: 'disabled', CORS_ORIGINS: 'http://localhost:5173' });
const get = async (path: string, headers: Record<string, string>) =>
  (await service.call('GET', path, undefined, headers)).status;

describe('browser request without sign-in', () => {
  it.each([
    ['from a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['from a page on another port', { 'sec-fetch-site': 'same-site' }],
    ['from a link on another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
  ])('is rejected %s', async (_which, headers) => {
    expect(await get('/api/datasets/repo-info?repoId=a/b', headers)).toBe(403);
    expect(await get('/api/workspaces', headers)).toBe(403);
  });

  it.each([
    ["from the service's own page", { 'sec-fetch-site': 'same-origin' }],
    ['typed by a person', { 'sec-fetch-site': 'none' }],
    ['without this information', {}],
    ['from a page in CORS_ORIGINS', { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:5173' }],
  ])('is allowed %s', async (_which, headers: Record<string, string>) => {
    expect(await get('/api/workspaces', headers)).toBe(200);
  });

  it.each([
    ['another host name', { host: 'research.local:3000' }, /localhost and 127\.0\.0\.1.*AUTH_MODE/],
    ['another origin', { origin: 'http://evil.example' }, /pages of this host.*AUTH_MODE/],
    ['the port of another program', { origin: 'http://localhost:4000' }, /CORS_ORIGINS/],
    ['the URL of a proxy', { referer: 'https://research.example.org/w/1' }, /pages of this host.*AUTH_MODE/],
    ['a proxy header', { 'x-real-ip': '192.0.2.1' }, /through a proxy \(x-real-ip\).*AUTH_MODE/],
  ])('gets the reason for its rejection with %s', async (_which, headers, why) => {
    const {
      status,
      body,
      headers: answer,
    } = await service.call<{ error: string }>('GET', '/api/workspaces', undefined, headers);
    expect([status, answer['x-error-code']]).toEqual([403, 'origin_refused']);
    expect(body.error).toMatch(why);
  });

  it('may come from another site to the documentation pages, which contain no data', async () => {
    expect(await get('/api/docs', { 'sec-fetch-site': 'cross-site' })).toBe(200);
  });
});

describe('raw request without sign-in', () => {
  const send = (head: string) =>
    new Promise<string>((done, failed) => {
      const { hostname, port } = new URL(service.url);
      const socket = connect(Number(port), hostname, () => socket.write(`${head}\r\n\r\n`));
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString();
      });
      socket.once('error', failed).once('close', () => done(text));
    });
  const { host } = new URL(service.url);

  it.each([
    ["nginx's default", `GET /api/workspaces HTTP/1.0\r\nHost: ${host}\r\nConnection: close`, 403],
    ['HTTP/1.0 without a host', 'GET /api/workspaces HTTP/1.0', 403],
    ['two hosts', `GET /api/workspaces HTTP/1.1\r\nHost: ${host}\r\nHost: ${host}\r\nConnection: close`, 400],
    ["Python's urllib", `GET /api/workspaces HTTP/1.1\r\nHost: ${host}\r\nConnection: close`, 200],
    ['HTTP/1.0 for the health of the service', 'GET /api/health HTTP/1.0', 200],
  ])('gets its status for %s', async (_which, head, status) => {
    expect(await send(head)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });
});
