import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { runProgram } from '../../support/processes/run-program.ts';
import { startService } from '../../support/service.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const service = await startService();
const { id, root } = await makeWorkspace(service);
const outside = await tempFolder();
await writeFile(join(outside, 'kept.txt'), 'kept');
await symlink(outside, join(root, 'outside'));
await writeFile(join(root, 'there.txt'), '');

function remove(path: string) {
  return service.call('DELETE', '/api/files/delete', { workspaceId: id, path });
}

const DELETED = { status: 200, body: { success: true } };

describe('DELETE /api/files/delete', () => {
  it('removes a file that is named in the body or in the query', async () => {
    for (const name of ['a.txt', 'b c.txt']) await writeFile(join(root, name), '');
    expect(await remove('a.txt')).toMatchObject(DELETED);
    const byQuery = await service.call('DELETE', `/api/files/delete?workspaceId=${id}&path=b%20c.txt`);
    expect(byQuery).toMatchObject(DELETED);
    const names = await readdir(root);
    expect(names).not.toContain('a.txt');
    expect(names).not.toContain('b c.txt');
  });

  it('removes a whole directory completely', async () => {
    await mkdir(join(root, 'tree/deep/deeper'), { recursive: true });
    await writeFile(join(root, 'tree/deep/a.txt'), '');
    await symlink(outside, join(root, 'tree/deep/link'));
    expect(await remove('tree/')).toMatchObject(DELETED);
    expect((await readdir(root)).sort()).toEqual(['outside', 'there.txt']);
    expect(await readFile(join(outside, 'kept.txt'), 'utf8')).toBe('kept');
  });

  it.each([
    ['leads outside', () => outside],
    ['is dangling', () => 'nowhere'],
    ['is circular', () => 'link'],
  ])('removes a link that %s, never its target', async (_what, target) => {
    await symlink(target(), join(root, 'link'));
    expect(await remove('link')).toMatchObject(DELETED);
    expect(await readdir(root)).not.toContain('link');
    expect(await readdir(outside)).toEqual(['kept.txt']);
  });

  it('removes a FIFO', async () => {
    await runProgram('mkfifo', [join(root, 'fifo')]);
    expect(await remove('fifo')).toMatchObject(DELETED);
    expect(await readdir(root)).not.toContain('fifo');
  });

  it('returns 200 to one of two concurrent callers and 404 to the other', async () => {
    await writeFile(join(root, 'race.txt'), '');
    const answers = await Promise.all([remove('race.txt'), remove('race.txt')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  it.each([
    ['a missing file', { path: 'missing' }, 404, 'path'],
    ['the workspace itself', { path: '' }, 400, 'workspace'],
    ['the workspace itself as .', { path: '.' }, 400, 'workspace'],
    ['the workspace itself as ./', { path: './/.' }, 400, 'workspace'],
    ['..', { path: '..' }, 400, 'path'],
    ['an absolute path', { path: '/tmp/x' }, 400, 'path'],
    ['a path through a link to the outside', { path: 'outside/kept.txt' }, 400, 'path'],
    ['a path through a file', { path: 'there.txt/x' }, 404, 'path'],
    ['no path', {}, 400, 'path'],
    ['an unknown field', { path: 'there.txt', force: true }, 400, 'force'],
    ['an unknown workspace', { path: 'there.txt', workspaceId: 'x' }, 404, 'workspace'],
  ])('rejects %s', async (_what, fields, status, named) => {
    const answer = await service.call('DELETE', '/api/files/delete', { workspaceId: id, ...fields });
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error: expect.stringContaining(named) });
    expect((await stat(root)).isDirectory()).toBe(true);
    expect(await readFile(join(outside, 'kept.txt'), 'utf8')).toBe('kept');
  });

  it('rejects a request without a path', async () => {
    const answer = await service.call('DELETE', '/api/files/delete');
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('workspaceId') } });
  });
});
