import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { runProgram } from '../../support/processes/run-program.ts';
import { startService } from '../../support/service.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const service = await startService();
const { id, root } = await makeWorkspace(service);
const digits = '0123456789';
await writeFile(join(root, 'digits.txt'), digits);
await writeFile(join(root, 'empty.txt'), '');
const large = Buffer.alloc(9_000_000, 'abcdefg');
await writeFile(join(root, 'large.bin'), large);
await mkdir(join(root, 'folder'));
await symlink('/etc/passwd', join(root, 'outside'));
await runProgram('mkfifo', [join(root, 'fifo')]);

function raw(path: string, headers: Record<string, string> = {}) {
  const query = `workspaceId=${id}&path=${encodeURIComponent(path)}`;
  return service.call<string>('GET', `/api/files/raw?${query}`, undefined, headers);
}

describe('GET /api/files/raw', () => {
  it('streams the bytes with length, type, ETag, and Accept-Ranges', async () => {
    const { status, body, headers } = await raw('digits.txt');
    expect(status).toBe(200);
    expect(body).toBe(digits);
    expect(headers).toMatchObject({
      'content-length': '10',
      'content-type': 'text/plain; charset=utf-8',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[^"]+"$/),
      'last-modified': expect.stringMatching(/GMT$/),
    });
  });

  it('streams a file larger than any buffered response', async () => {
    const { status, bytes } = await raw('large.bin');
    expect(status).toBe(200);
    expect(bytes.equals(large)).toBe(true);
  });

  it.each([
    ['bytes=0-0', '0', 'bytes 0-0/10'],
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=8-99', '89', 'bytes 8-9/10'],
    ['bytes=-99', digits, 'bytes 0-9/10'],
  ])('returns 206 for %s', async (range, text, contentRange) => {
    const { status, body, headers } = await raw('digits.txt', { range });
    expect(status).toBe(206);
    expect(body).toBe(text);
    expect(headers['content-range']).toBe(contentRange);
    expect(headers['content-length']).toBe(String(text.length));
  });

  it.each(['bytes=10-', 'bytes=10-20', 'bytes=-0'])('returns 416 for %s', async (range) => {
    const { status, headers, body } = await raw('digits.txt', { range });
    expect(status).toBe(416);
    expect(headers['content-range']).toBe('bytes */10');
    expect(body).toEqual({ error: expect.stringContaining('range') });
  });

  it.each(['bytes=4-2', 'bytes=0-1,4-5', 'lines=0-1', 'bytes=-', 'bytes=a-b', ''])(
    'returns the whole file for an unsupported range: %s',
    async (range) => {
      expect(await raw('digits.txt', { range })).toMatchObject({ status: 200, body: digits });
    },
  );

  it('returns an empty file, and 416 for any range of it', async () => {
    expect(await raw('empty.txt')).toMatchObject({
      status: 200,
      body: '',
      headers: { 'content-length': '0' },
    });
    expect((await raw('empty.txt', { range: 'bytes=0-' })).status).toBe(416);
  });

  it('returns 304 for If-None-Match while the file is unchanged', async () => {
    await writeFile(join(root, 'changing.txt'), 'one');
    const etag = (await raw('changing.txt')).headers.etag ?? '';
    for (const value of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await raw('changing.txt', { 'if-none-match': value });
      expect(answer).toMatchObject({ status: 304, headers: { etag } });
      expect(answer.bytes).toHaveLength(0);
    }
    await writeFile(join(root, 'changing.txt'), 'two');
    const after = await raw('changing.txt', { 'if-none-match': etag });
    expect(after).toMatchObject({ status: 200, body: 'two' });
    expect(after.headers.etag).not.toBe(etag);
  });

  it('supports If-Range with a range of an unchanged file, or with all of a changed file', async () => {
    const etag = (await raw('digits.txt')).headers.etag ?? '';
    expect((await raw('digits.txt', { range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
    expect((await raw('digits.txt', { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200);
  });

  it.each([
    ['page.html', 'text/html; charset=utf-8', 'attachment'],
    ['image.svg', 'image/svg+xml', 'attachment'],
    ['feed.xml', 'application/xml', 'attachment'],
    ['page.xhtml', 'application/xhtml+xml', 'attachment'],
    ['code.js', 'text/javascript; charset=utf-8', 'attachment'],
    ['code.css', 'text/css; charset=utf-8', 'attachment'],
    ['code.ts', 'text/plain; charset=utf-8', 'inline'],
    ['code.mts', 'text/plain; charset=utf-8', 'inline'],
    ['code.rs', 'text/plain; charset=utf-8', 'inline'],
    ['code.sh', 'text/plain; charset=utf-8', 'inline'],
    ['code.php', 'text/plain; charset=utf-8', 'inline'],
    ['code.tsx', 'text/plain; charset=utf-8', 'inline'],
    ['words.pot', 'text/plain; charset=utf-8', 'inline'],
    ['server.conf', 'text/plain; charset=utf-8', 'inline'],
    ['page.rst', 'text/plain; charset=utf-8', 'inline'],
    ['unknown.qqq', 'application/octet-stream', 'attachment'],
    ['no-ending', 'application/octet-stream', 'attachment'],
    ['image.png', 'image/png', 'inline'],
    ['paper.pdf', 'application/pdf', 'inline'],
    ['notes.md', 'text/markdown; charset=utf-8', 'inline'],
    ['data.json', 'application/json', 'inline'],
  ])('serves %s as %s, %s, in a sandbox', async (name, type, disposition) => {
    await writeFile(join(root, name), '{}');
    const { headers } = await raw(name);
    expect(headers['content-type']).toBe(type);
    expect(headers['content-disposition']).toBe(`${disposition}; filename*=UTF-8''${name}`);
    expect(headers['content-security-policy']).toContain('sandbox');
  });

  it('names a file in any script, with quotes and line breaks, without breaking the header', async () => {
    const name = `Größe "x"\r\nset-cookie: a=b; (1)'*.txt`;
    await writeFile(join(root, name), 'x');
    const { status, headers } = await raw(name);
    expect(status).toBe(200);
    expect(headers['set-cookie']).toBeUndefined();
    const encoded = headers['content-disposition']?.split("''")[1] ?? '';
    expect(encoded).toMatch(/^[A-Za-z0-9%._~!-]+$/);
    expect(decodeURIComponent(encoded)).toBe(name);
  });

  it.each([
    ['a missing file', 'missing', 404],
    ['a directory', 'folder', 400],
    ['the workspace itself', '', 400],
    ['a link to the outside', 'outside', 400],
    ['a FIFO, without blocking', 'fifo', 400],
    ['..', '../digits.txt', 400],
    ['an absolute path', '/etc/passwd', 400],
  ])('rejects %s', async (_what, path, status) => {
    const answer = await raw(path);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error: expect.stringContaining('path') });
  });
});
