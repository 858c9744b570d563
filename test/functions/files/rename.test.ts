import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
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
await mkdir(join(root, 'folder/deep'), { recursive: true });
await writeFile(join(root, 'folder/deep/a.txt'), 'a');
await writeFile(join(root, 'there.txt'), 'there');
await writeFile(join(root, 'other.txt'), 'other');

function rename(oldPath: string, newPath: string, more: Record<string, unknown> = {}) {
  return service.call<Entry>('POST', '/api/files/rename', { workspaceId: id, oldPath, newPath, ...more });
}

async function textOf(path: string): Promise<string> {
  return readFile(join(root, path), 'utf8');
}

describe('POST /api/files/rename', () => {
  it('moves a file into a new directory and returns its entry', async () => {
    await writeFile(join(root, 'a.txt'), 'text');
    const { status, body } = await rename('a.txt', 'new/deep/b.txt');
    expect(status).toBe(200);
    expect(body).toEqual({
      name: 'b.txt',
      path: 'new/deep/b.txt',
      type: 'file',
      size: 4,
      modifiedAt: expect.stringMatching(/Z$/),
    });
    expect(await textOf('new/deep/b.txt')).toBe('text');
    expect(await readdir(root)).not.toContain('a.txt');
  });

  it('moves a directory with its contents', async () => {
    await mkdir(join(root, 'tree/deep'), { recursive: true });
    await writeFile(join(root, 'tree/deep/a.txt'), 'a');
    expect(await rename('tree', 'moved')).toMatchObject({
      status: 200,
      body: { type: 'directory', path: 'moved' },
    });
    expect(await textOf('moved/deep/a.txt')).toBe('a');
  });

  it('moves a link itself, not its target', async () => {
    await symlink(outside, join(root, 'link'));
    expect((await rename('link', 'link-moved')).status).toBe(200);
    expect((await lstat(join(root, 'link-moved'))).isSymbolicLink()).toBe(true);
  });

  it('changes nothing if both names are the same', async () => {
    expect((await rename('there.txt', './there.txt')).status).toBe(200);
    expect(await textOf('there.txt')).toBe('there');
  });

  it('replaces a file, and a non-empty directory, only with overwrite: true', async () => {
    await writeFile(join(root, 'from.txt'), 'new');
    await writeFile(join(root, 'to.txt'), 'old');
    const refused = await rename('from.txt', 'to.txt');
    expect(refused).toMatchObject({ status: 409, body: { error: expect.stringContaining('overwrite') } });
    expect([await textOf('from.txt'), await textOf('to.txt')]).toEqual(['new', 'old']);
    expect((await rename('from.txt', 'to.txt', { overwrite: true })).status).toBe(200);
    expect(await textOf('to.txt')).toBe('new');
    for (const name of ['d1', 'd2']) await mkdir(join(root, name));
    for (const name of ['d1', 'd2']) await writeFile(join(root, name, `${name}.txt`), '');
    expect((await rename('d1', 'd2')).status).toBe(409);
    expect((await rename('d1', 'd2', { overwrite: true })).status).toBe(200);
    expect(await readdir(join(root, 'd2'))).toEqual(['d1.txt']);
  });

  it('lets exactly one of twenty concurrent moves to the same name succeed', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `racer-${index}.txt`);
    for (const name of names) await writeFile(join(root, name), name);
    const answers = await Promise.all(names.map((name) => rename(name, 'finish.txt')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    const left = (await readdir(root)).filter((name) => name.startsWith('racer-'));
    expect(left).toHaveLength(19);
    expect(left).not.toContain(await textOf('finish.txt'));
  });

  it('lets exactly one of twenty concurrent moves of the same file succeed, and creates no second copy', async () => {
    await writeFile(join(root, 'one.txt'), 'one');
    await mkdir(join(root, 'targets'));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => rename('one.txt', `targets/${index}.txt`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(404)]);
    expect(await readdir(join(root, 'targets'))).toHaveLength(1);
  });

  it.each([
    ['a missing file', { oldPath: 'missing', newPath: 'x' }, 404, 'oldPath'],
    ['an existing file', { oldPath: 'there.txt', newPath: 'other.txt' }, 409, 'newPath'],
    ['a directory over a file', { oldPath: 'folder', newPath: 'other.txt', overwrite: true }, 409, 'newPath'],
    ['a file over a directory', { oldPath: 'there.txt', newPath: 'folder', overwrite: true }, 409, 'newPath'],
    ['a directory into itself', { oldPath: 'folder', newPath: 'folder/deep/x' }, 400, 'newPath'],
    ['the workspace itself', { oldPath: '', newPath: 'x' }, 400, 'workspace'],
    ['onto the workspace itself', { oldPath: 'there.txt', newPath: '.', overwrite: true }, 400, 'workspace'],
    ['.. as the old path', { oldPath: '../x', newPath: 'x' }, 400, 'oldPath'],
    ['.. as the new path', { oldPath: 'there.txt', newPath: '../x' }, 400, 'newPath'],
    ['an absolute new path', { oldPath: 'there.txt', newPath: '/tmp/x' }, 400, 'newPath'],
    [
      'a new path behind a link to the outside',
      { oldPath: 'there.txt', newPath: 'outside/x' },
      400,
      'newPath',
    ],
    ['no newPath', { oldPath: 'there.txt' }, 400, 'newPath'],
    [
      "overwrite that isn't a boolean",
      { oldPath: 'there.txt', newPath: 'x', overwrite: 'yes' },
      400,
      'overwrite',
    ],
    ['an unknown field', { oldPath: 'there.txt', newPath: 'x', force: true }, 400, 'force'],
    ['an unknown workspace', { workspaceId: 'x', oldPath: 'a', newPath: 'b' }, 404, 'workspace'],
  ])('rejects %s', async (_what, fields, status, named) => {
    const answer = await service.call('POST', '/api/files/rename', { workspaceId: id, ...fields });
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error: expect.stringContaining(named) });
    expect([await textOf('there.txt'), await textOf('other.txt'), await textOf('folder/deep/a.txt')]).toEqual(
      ['there', 'other', 'a'],
    );
    expect(await readdir(outside)).toEqual([]);
  });
});
