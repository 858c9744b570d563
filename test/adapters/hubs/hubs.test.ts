import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { huggingFaceHub } from '../../../lib/adapters/hugging-face/hub.ts';
import { modelScopeHub } from '../../../lib/adapters/modelscope/hub.ts';
import { HubBusy } from '../../../lib/ports/hub.ts';
import { fakeFile, fakeRepo, startFakeHub } from '../../support/fakes/fake-hub.ts';
import { whenDone } from '../../support/temp-folder.ts';

const FILES = [fakeFile('a b/c#d.bin', 5000, false), fakeFile('large.bin', 2_000_000, true)];
const hub = await startFakeHub({ 'o/n': fakeRepo(FILES), 'o/private': fakeRepo(FILES, { token: 'good' }) });
whenDone(() => hub.stop());
const settings = { baseUrl: hub.url, trusted: true };
const hubs = { hub_a: huggingFaceHub(settings), hub_b: modelScopeHub(settings) };
const repo = { type: 'dataset', id: 'o/n', revision: 'main' } as const;

describe.each(['hub_a', 'hub_b'] as const)('%s', (name) => {
  it('describes a repository', async () => {
    const info = await hubs[name].info(repo);
    expect(info).toMatchObject({ id: 'o/n', totalSize: 2_005_000, totalFiles: 2, gated: false });
    expect(info.commit).toMatch(/^[0-9a-f]{40}$/);
    expect(info.lastModified).toMatch(/^2026-01-02T03:04:05.000Z$/);
    expect(info.revisions).toContain('v1.0');
  });

  it('returns a byte range of a file with its position', async () => {
    const commit = await hubs[name].pin(repo);
    const answer = await hubs[name].openFile({ ...repo, commit }, 'large.bin', { offset: 1000, end: 1010 });
    const pieces: Buffer[] = [];
    for await (const piece of answer.body) pieces.push(piece);
    expect(answer.offset).toBe(1000);
    expect(Buffer.concat(pieces)).toEqual(FILES[1]?.read(1000, 1010));
  });

  it('shows a private repository only with its token', async () => {
    const own = { hub_a: huggingFaceHub, hub_b: modelScopeHub }[name]({ ...settings, token: 'good' });
    await expect(own.pin({ ...repo, id: 'o/private' })).resolves.toMatch(/./);
    await expect(hubs[name].pin({ ...repo, id: 'o/private' })).rejects.toThrow(
      "has no such repository, or you don't have access",
    );
    await expect(hubs[name].pin({ ...repo, id: 'o/none' })).rejects.toThrow(
      "has no such repository, or you don't have access",
    );
  });
});

/** A hub that returns the same response to every request. */
async function answering(status: number, headers: Record<string, string>, body = '[]') {
  const server = createServer((_, response) => response.writeHead(status, headers).end(body));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  whenDone(async () => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('untrusted response', () => {
  it.each([
    [
      'a redirect to a private address',
      302,
      { location: 'http://169.254.169.254/x' },
      /must lead to a public address/,
    ],
    ['a redirect to another scheme', 302, { location: 'file:///etc/passwd' }, /a URL that can't be used/],
    ['endless redirects', 302, { location: '/again' }, /more than 5 times/],
  ])('is rejected: %s', async (_, status, headers, error) => {
    const strict = huggingFaceHub({ baseUrl: await answering(status, headers), trusted: false });
    await expect(strict.pin(repo)).rejects.toThrow(error);
  });

  it('is rejected if it redirects to a private address', async () => {
    const location = 'http://files.example.com/x';
    const inside = { resolve: async () => ['93.184.216.34', '10.0.0.1'] };
    const strict = huggingFaceHub({
      baseUrl: await answering(302, { location }),
      trusted: false,
      ...inside,
    });
    await expect(strict.pin(repo)).rejects.toThrow('must lead to a public address');
  });

  it('is read from the IP address that was checked, even if the name resolves differently a moment later', async () => {
    const to = new URL(await answering(200, {}, JSON.stringify({ id: 'o/n', sha: 'c0ffee' })));
    to.hostname = 'files.example.com'; // only `resolve` knows the redirect's target
    const asked: string[] = [];
    const resolve = async (name: string) => {
      asked.push(name);
      return asked.length === 1 ? ['127.0.0.1'] : ['10.0.0.1'];
    };
    const isPublic = (address: string) => address === '127.0.0.1';
    const baseUrl = await answering(302, { location: to.href });
    const strict = huggingFaceHub({ baseUrl, trusted: false, resolve, isPublic });
    expect(await strict.pin(repo)).toBe('c0ffee');
    expect(asked).toEqual(['files.example.com']);
  });

  it('is rejected if its next page is on another host, which would get the token', async () => {
    const link = '<http://elsewhere.example/api?cursor=1>; rel="next"';
    const pages = huggingFaceHub({ baseUrl: await answering(200, { link }), trusted: true }).listFiles({
      ...repo,
      commit: 'c',
    });
    await expect(pages[Symbol.asyncIterator]().next()).rejects.toThrow('another host');
  });

  it.each([
    [{ ratelimit: '"api";r=0;t=55' }, 55_000],
    [{ 'retry-after': '7' }, 7000],
    [{}, 10_000],
  ])('causes a pause if it is a 429 with %j', async (headers, pauseMs) => {
    const busy = await huggingFaceHub({ baseUrl: await answering(429, headers), trusted: true })
      .pin(repo)
      .catch((error) => error);
    expect(busy).toBeInstanceOf(HubBusy);
    expect(busy.pauseMs).toBe(pauseMs);
  });
});
