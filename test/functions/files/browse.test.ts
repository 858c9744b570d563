import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Entry } from '../../../lib/files/schema.ts';
import { runProgram } from '../../support/processes/run-program.ts';
import { startService } from '../../support/service.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { makeWorkspace } from '../../support/workspace.ts';

/** A name in the format of lib/paths/temp-name.ts. */
const TEMP_NAME = '.wrs-01234567-89ab-cdef-0123-456789abcdef.tmp';
const service = await startService();
const { id, root } = await makeWorkspace(service);
const outside = await tempFolder();
await writeFile(join(outside, 'secret.txt'), 'secret');
await mkdir(join(root, 'b-folder/deep'), { recursive: true });
await mkdir(join(root, 'a-folder'));
for (const name of ['b.txt', 'B.txt', 'a.txt', '.hidden', 'ä.txt', TEMP_NAME])
  await writeFile(join(root, name), name);
await symlink('b.txt', join(root, 'link-inside'));
await symlink('b-folder', join(root, 'link-folder'));
await symlink(join(outside, 'secret.txt'), join(root, 'link-outside'));
await symlink('nowhere', join(root, 'link-dangling'));
await symlink('link-loop', join(root, 'link-loop'));
await symlink('deep', join(root, 'b-folder/to-deep'));
await runProgram('mkfifo', [join(root, 'fifo')]);

function browse(query: string, workspaceId = id) {
  return service.call<Entry[]>('GET', `/api/files/browse?workspaceId=${workspaceId}&${query}`);
}

describe('GET /api/files/browse', () => {
  it('lists directories first, then by name, without hidden files, outside links, broken links, and special files', async () => {
    const { status, body } = await browse('');
    expect(status).toBe(200);
    expect(body.map(({ name, type }) => `${type} ${name}`)).toEqual([
      'directory a-folder',
      'directory b-folder',
      'directory link-folder',
      'file a.txt',
      'file ä.txt',
      'file b.txt',
      'file B.txt',
      'file link-inside',
    ]);
  });

  it('returns each entry with its path in the workspace, size, and time', async () => {
    const { body } = await browse('path=');
    expect(body.find(({ name }) => name === 'a.txt')).toEqual({
      name: 'a.txt',
      path: 'a.txt',
      type: 'file',
      size: 5,
      modifiedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(body.find(({ name }) => name === 'a-folder')).toMatchObject({ type: 'directory', size: 0 });
  });

  it.each(['b-folder', 'b-folder/', './b-folder//.', 'link-folder'])(
    'lists the directory %s',
    async (path) => {
      const { status, body } = await browse(`path=${encodeURIComponent(path)}`);
      expect(status).toBe(200);
      expect(body.map(({ name }) => name)).toEqual(['deep', 'to-deep']);
      expect(body[0]?.path).toBe(path.startsWith('link') ? 'link-folder/deep' : 'b-folder/deep');
    },
  );

  it('shows hidden files with hidden=true, but never temporary files', async () => {
    const { body } = await browse('hidden=true');
    const names = body.map(({ name }) => name);
    expect(names).toContain('.hidden');
    expect(names).not.toContain(TEMP_NAME);
  });

  it('returns an empty array for an empty directory', async () => {
    expect(await browse('path=a-folder')).toMatchObject({ status: 200, body: [] });
  });

  it('returns pages with limit and cursor, each entry once and in order', async () => {
    const all = (await browse('')).body.map(({ name }) => name);
    const seen: string[] = [];
    let cursor: unknown = '';
    for (let page = 0; page < 10 && cursor !== undefined; page++) {
      const { body, headers } = await browse(`limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(body.length).toBeLessThanOrEqual(3);
      seen.push(...body.map(({ name }) => name));
      cursor = headers['x-next-cursor'];
    }
    expect(seen).toEqual(all);
  });

  it.each([
    ['a missing workspaceId', '/api/files/browse', 400, 'workspaceId'],
    ['an invalid workspaceId', '/api/files/browse?workspaceId=%20', 404, 'workspace'],
    [
      'an unknown workspace',
      '/api/files/browse?workspaceId=01a1fcf8-a7e2-778b-8bd9-87a5309f5401',
      404,
      'workspace',
    ],
    ['a missing directory', `/api/files/browse?workspaceId=${id}&path=missing`, 404, 'path'],
    ['a file', `/api/files/browse?workspaceId=${id}&path=a.txt`, 400, 'path'],
    ['..', `/api/files/browse?workspaceId=${id}&path=..`, 400, 'path'],
    ['an absolute path', `/api/files/browse?workspaceId=${id}&path=%2Fetc`, 400, 'path'],
    ['NUL', `/api/files/browse?workspaceId=${id}&path=a%00b`, 400, 'path'],
    ['a link to the outside', `/api/files/browse?workspaceId=${id}&path=link-outside`, 400, 'path'],
    ['a circular link', `/api/files/browse?workspaceId=${id}&path=link-loop`, 400, 'path'],
    ['limit=0', `/api/files/browse?workspaceId=${id}&limit=0`, 400, 'limit'],
    ['limit=ten', `/api/files/browse?workspaceId=${id}&limit=ten`, 400, 'limit'],
    ['hidden=maybe', `/api/files/browse?workspaceId=${id}&hidden=maybe`, 400, 'hidden'],
    ['an invalid cursor', `/api/files/browse?workspaceId=${id}&cursor=xyz`, 400, 'cursor'],
  ])('rejects %s', async (_what, path, status, named) => {
    const answer = await service.call<{ error: string }>('GET', path);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error: expect.stringContaining(named) });
    expect(answer.body.error).not.toContain(root);
  });

  it('returns 405 with Allow for another method', async () => {
    const answer = await service.call('POST', '/api/files/browse', {});
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe('GET, HEAD');
  });
});
