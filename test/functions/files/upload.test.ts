import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { WrittenFile } from '../../../lib/files/schema.ts';
import { startService } from '../../support/service.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const service = await startService();
const { id, root } = await makeWorkspace(service);
const outside = await tempFolder();
await mkdir(join(root, 'folder'));
await symlink(outside, join(root, 'outside'));

function form(
  fields: Record<string, string>,
  content: Uint8Array = Buffer.from('x'),
  name = 'client.bin',
): FormData {
  const data = new FormData();
  for (const [key, value] of Object.entries(fields)) data.append(key, value);
  data.append('file', new Blob([new Uint8Array(content)]), name);
  return data;
}

function upload(body: unknown, headers: Record<string, string> = {}) {
  return service.call<WrittenFile>('POST', '/api/files/upload', body, headers);
}

describe('POST /api/files/upload', () => {
  it('returns 201 like write and keeps every byte', async () => {
    const content = Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256));
    const { status, body } = await upload(form({ workspaceId: id, path: 'in/data.bin' }, content));
    expect(status).toBe(201);
    expect(body).toEqual({
      path: 'in/data.bin',
      size: 512,
      modifiedAt: expect.stringMatching(/Z$/),
      hash: createHash('sha256').update(content).digest('hex'),
    });
    expect((await readFile(join(root, 'in/data.bin'))).equals(content)).toBe(true);
  });

  it.each([
    ['the path is empty', '', 'client.bin', 'client.bin'],
    ['it ends with /', 'new/', 'client.bin', 'new/client.bin'],
    ['it is a directory', 'folder', 'client.bin', 'folder/client.bin'],
    ['the name has folders of the client', 'folder', 'C:\\Users\\me/a b.txt', 'folder/a b.txt'],
    ['the name is in another script', 'folder/', 'Größe 😀.txt', 'folder/Größe 😀.txt'],
    ['the name has path traversal', 'folder', '../../../climbed.txt', 'folder/climbed.txt'],
  ])("adds the client's base name if %s", async (_what, path, name, expected) => {
    const { status, body } = await upload(form({ workspaceId: id, path }, Buffer.from('x'), name));
    expect([status, body.path]).toEqual([201, expected]);
    expect(await readFile(join(root, expected), 'utf8')).toBe('x');
  });

  it('treats a missing path as empty, and replaces an existing file', async () => {
    await upload(form({ workspaceId: id }, Buffer.from('one'), 'again.txt'));
    expect((await upload(form({ workspaceId: id }, Buffer.from('two'), 'again.txt'))).status).toBe(201);
    expect(await readFile(join(root, 'again.txt'), 'utf8')).toBe('two');
  });

  it('accepts 4.5 MB, like the deployed gateway, and rejects more', async () => {
    const fits = await upload(form({ workspaceId: id, path: 'fits.bin' }, Buffer.alloc(4_500_000)));
    expect([fits.status, fits.body.size]).toEqual([201, 4_500_000]);
    const large = await upload(form({ workspaceId: id, path: 'large.bin' }, Buffer.alloc(4_800_000)));
    expect(large).toMatchObject({
      status: 413,
      body: { error: expect.stringContaining('/api/files/uploads') },
    });
    expect(await readdir(root)).not.toContain('large.bin');
  });

  it.each([
    ['an unknown workspace', form({ workspaceId: 'x', path: 'a' }), 404, 'workspace'],
    ['no workspaceId', form({ path: 'a' }), 400, 'workspaceId'],
    ['an unknown field', form({ workspaceId: id, pth: 'a' }), 400, 'pth'],
    ['two files', twice(), 400, 'file'],
    ['a string instead of a file', textInstead(), 400, 'file'],
    ['..', form({ workspaceId: id, path: '../a' }), 400, 'path'],
    ['.. as a directory', form({ workspaceId: id, path: '../' }), 400, 'path'],
    ['an absolute path', form({ workspaceId: id, path: '/tmp/' }), 400, 'path'],
    ['an invalid name', form({ workspaceId: id, path: '' }, Buffer.from('x'), '..'), 400, 'name'],
    ['a link to the outside', form({ workspaceId: id, path: 'outside/a' }), 400, 'path'],
    ['a directory behind a link to the outside', form({ workspaceId: id, path: 'outside' }), 400, 'path'],
    ['a path through a file', form({ workspaceId: id, path: 'blocking/a' }), 404, 'path'],
  ])('rejects %s', async (_what, body, status, named) => {
    await writeFile(join(root, 'blocking'), '');
    const answer = await upload(body);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error: expect.stringContaining(named) });
    expect(await readdir(outside)).toEqual([]);
  });

  it.each([
    ['JSON', '{}', 'application/json'],
    ['a multipart body without a boundary', 'x', 'multipart/form-data'],
    [
      'a truncated multipart body',
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhalf',
      'multipart/form-data; boundary=b',
    ],
    ['an empty body', '', 'multipart/form-data; boundary=b'],
  ])('rejects %s', async (_what, body, contentType) => {
    const answer = await upload(body, { 'content-type': contentType });
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringMatching(/multipart/) } });
  });
});

function twice(): FormData {
  const data = form({ workspaceId: id });
  data.append('file', new Blob(['y']), 'b');
  return data;
}

function textInstead(): FormData {
  const data = new FormData();
  data.append('workspaceId', id);
  data.append('file', 'text');
  return data;
}
