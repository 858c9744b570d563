import { readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Entry } from '../../../lib/files/schema.ts';
import { startService } from '../../support/service.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const service = await startService();
const { id, root } = await makeWorkspace(service);
const outside = await tempFolder();
await symlink(outside, join(root, 'outside'));
await symlink(join(outside, 'new'), join(root, 'dangling'));
await writeFile(join(root, 'file.txt'), '');

function makeDirectory(fields: Record<string, unknown>) {
  return service.call<Entry>('POST', '/api/files/mkdir', { workspaceId: id, ...fields });
}

describe('POST /api/files/mkdir', () => {
  it('creates a directory with its parents: 201, or 200 if it exists', async () => {
    const first = await makeDirectory({ path: 'a/b/c' });
    const entry = { name: 'c', path: 'a/b/c', type: 'directory', size: 0, modifiedAt: expect.any(String) };
    expect(first).toMatchObject({ status: 201, body: entry });
    expect((await stat(join(root, 'a/b/c'))).isDirectory()).toBe(true);
    expect(await makeDirectory({ path: 'a/b/c/' })).toMatchObject({ status: 200, body: entry });
  });

  it('returns 201 to exactly one of twenty concurrent callers', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => makeDirectory({ path: 'race' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
  });

  it.each([
    ['an existing file', { path: 'file.txt' }, 409, 'path'],
    ['a file as its parent', { path: 'file.txt/sub' }, 409, 'path'],
    ['..', { path: '../x' }, 400, 'path'],
    ['an absolute path', { path: '/tmp/x' }, 400, 'path'],
    ['a link to the outside', { path: 'outside/x' }, 400, 'path'],
    ['a link to a missing target outside', { path: 'dangling' }, 400, 'path'],
    ['a path through such a link', { path: 'dangling/x' }, 400, 'path'],
    ['NUL', { path: 'a\0' }, 400, 'path'],
    ['no path', {}, 400, 'path'],
    ['an unknown field', { path: 'x', mode: 1 }, 400, 'mode'],
    ['an unknown workspace', { path: 'x', workspaceId: 'x' }, 404, 'workspace'],
  ])('rejects %s', async (_what, fields, status, named) => {
    const answer = await makeDirectory(fields);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error: expect.stringContaining(named) });
    expect(await readdir(outside)).toEqual([]);
  });
});
