import { mkdir, rename, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { newId } from '../../../lib/identifiers.ts';
import { workspaces } from '../../../lib/workspaces/schema.ts';
import { startService } from '../../support/service.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const CODE = resolve(import.meta.dirname, '../../..');
const root = join(await tempFolder(), 'roots');
const DATA_DIR = join(root, 'team/data');
await mkdir(join(root, 'team'), { recursive: true });
const RECOGNITION_DIR = join(root, 'recognition');
const service = await startService({
  DATA_DIR,
  RECOGNITION_DIR,
  WORKSPACE_ROOTS: `${root},${dirname(CODE)}`,
});
await symlink(DATA_DIR, join(root, 'link'));

const OWN: [string, string][] = [
  ['the data folder', 'team/data'],
  ['a folder in it', 'team/data/objects'],
  ['a new folder in it', 'team/data/new'],
  ['a folder around it', 'team'],
  ['the root around it', '.'],
  ['a link to it', 'link'],
  ['a folder behind that link', 'link/new'],
  ['the folder of the OCR engine', 'recognition/engine'],
  ["the service's code", CODE],
  ['a folder of the code', join(CODE, 'lib')],
];

describe("roots around the service's own folders", () => {
  it.each(OWN)('allow no workspace in %s', async (_which, path) => {
    const answer = await service.call('POST', '/api/workspaces', { path });
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        error:
          'path must be inside one of the allowed folders. An administrator can allow others, in the settings or with WORKSPACE_ROOTS.',
      },
    ]);
  });

  it.each(OWN)('allow no dataset in %s', async (_which, localPath) => {
    expect((await service.call('POST', '/api/datasets/import-local', { localPath })).status).toBe(400);
  });

  it.each(OWN)('allow no command in %s', async (_which, cwd) => {
    expect((await service.call('POST', '/api/terminal/exec', { cwd, command: 'ls' })).status).toBe(400);
  });

  it("don't allow commands next to those folders that could change the whole root", async () => {
    await mkdir(join(root, 'beside'));
    const { status } = await service.call('POST', '/api/terminal/exec', { cwd: 'beside', command: 'ls' });
    expect(status).toBe(403);
  });

  it('allow workspaces next to those folders, and in the default root', async () => {
    for (const path of ['papers', 'team/other', 'team/data/workspaces/one'])
      expect((await service.call('POST', '/api/workspaces', { path })).status).toBe(201);
  });
});

describe("existing workspace in the service's own folders", () => {
  it.each([
    ['the data folder', DATA_DIR],
    ['a link to it', join(root, 'link')],
    ['a folder around it', join(root, 'team')],
  ])("is listed, can't be used, and can be removed: %s", async (_which, rootPath) => {
    const database = openDatabase(service.dataDir);
    const id = newId();
    const createdAt = new Date().toISOString();
    await workspaces.create(sqliteRecords(database), { id, name: 'old', rootPath, createdAt });
    database.close();
    expect((await service.call('GET', '/api/workspaces')).body).toContainEqual(
      expect.objectContaining({ id }),
    );
    for (const path of [`/api/files/browse?workspaceId=${id}&path=`, `/api/workspaces/${id}`])
      expect((await service.call('GET', path)).body).toEqual({
        error: expect.stringContaining('can only be removed'),
      });
    expect((await service.call('POST', `/api/workspaces/${id}/sync`)).status).toBe(403);
    expect((await service.call('DELETE', `/api/workspaces/${id}`)).status).toBe(200);
  });

  it("can't be used if a link replaced its folder", async () => {
    const made = await makeWorkspace(service, 'moved');
    await rename(made.root, join(root, 'aside'));
    await symlink(DATA_DIR, made.root);
    const path = `/api/files/browse?workspaceId=${made.id}&path=`;
    expect((await service.call('GET', path)).status).toBe(403);
  });
});
