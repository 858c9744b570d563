import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { IndexState } from '../../../lib/indexing/schema.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually } from '../../support/sync.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace.ts';

async function found(service: Service, { id }: TestWorkspace, word: string): Promise<string[]> {
  const path = `/api/workspaces/${id}/search?q=${word}`;
  const { body } = await service.call<{ path: string }[]>('GET', path);
  return [...new Set(body.map((passage) => passage.path))].sort();
}

async function state(service: Service, { id }: TestWorkspace): Promise<IndexState> {
  return (await service.call<IndexState>('GET', `/api/workspaces/${id}/sync`)).body;
}

const isFound = (service: Service, workspace: TestWorkspace, word: string, paths: string[]) =>
  eventually(
    () => found(service, workspace, word),
    (found) => isDeepStrictEqual(found, paths),
  );

describe('watched folder', () => {
  it('is up to date without a sync after files are saved, moved, or deleted, or changed during downtime', async () => {
    const DATA_DIR = await tempFolder();
    const first = await startService({ DATA_DIR, WATCH: 'auto' });
    const workspace = await makeWorkspace(first);
    await eventually(
      () => state(first, workspace),
      ({ watching }) => watching === 'live',
    );
    await mkdir(join(workspace.root, 'deep/er'), { recursive: true });
    await writeFile(join(workspace.root, 'deep/er/a.md'), 'a giraffe');
    await writeFile(join(workspace.root, 'b.md'), 'a walrus');
    await isFound(first, workspace, 'giraffe', ['deep/er/a.md']);
    await rename(join(workspace.root, 'deep'), join(workspace.root, 'moved'));
    await isFound(first, workspace, 'giraffe', ['moved/er/a.md']);
    await writeFile(join(workspace.root, 'moved/er/a.md'), 'a giraffe and an otter');
    await isFound(first, workspace, 'otter', ['moved/er/a.md']);
    await rm(join(workspace.root, 'b.md'));
    await isFound(first, workspace, 'walrus', []);
    const changedAt = Date.now();
    await eventually(
      () => state(first, workspace),
      ({ asOf }) => asOf !== null && Date.parse(asOf) > changedAt,
    );
    await first.kill();
    await writeFile(join(workspace.root, 'c.md'), 'a lynx');
    await rm(join(workspace.root, 'moved'), { recursive: true });
    const second = await startService({ DATA_DIR, WATCH: 'auto' });
    await isFound(second, workspace, 'lynx', ['c.md']);
    await isFound(second, workspace, 'giraffe', []);
    expect(await second.stop()).toBe(0);
  });

  it('forgets a file that becomes a link or a folder, however it is replaced, and then idles', async () => {
    const service = await startService({ WATCH: 'auto' });
    const workspace = await makeWorkspace(service);
    const { id, root } = workspace;
    const names = ['watched-link', 'watched-folder', 'shell-link', 'api-folder'].map((name) => `${name}.md`);
    await writeFile(join(root, 'keep.md'), 'a lynx');
    for (const name of names) await writeFile(join(root, name), 'a giraffe');
    await isFound(service, workspace, 'giraffe', names.toSorted());
    for (const name of names.slice(0, 2)) await rm(join(root, name));
    await symlink('keep.md', join(root, names[0] ?? ''));
    await mkdir(join(root, names[1] ?? ''));
    await writeFile(join(root, names[1] ?? '', 'in.md'), 'a walrus');
    const command = `rm ${names[2]}; ln -s keep.md ${names[2]}`;
    await service.call('POST', '/api/terminal/exec', { command, cwd: root });
    await service.call('DELETE', '/api/files/delete', { workspaceId: id, path: names[3] });
    await service.call('POST', '/api/files/mkdir', { workspaceId: id, path: names[3] });
    await isFound(service, workspace, 'giraffe', []);
    await isFound(service, workspace, 'walrus', ['watched-folder.md/in.md']);
    await eventually(
      () => state(service, workspace),
      ({ status, waitingCount }) => status !== 'indexing' && waitingCount === 0,
    );
    expect(service.output()).not.toMatch(/a chain of/);
    expect(await service.stop()).toBe(0);
  });

  it('is not watched if the setting disables it', async () => {
    const service = await startService({ WATCH: 'off' });
    const workspace = await makeWorkspace(service);
    expect(await state(service, workspace)).toMatchObject({ watching: 'off', asOf: null });
  });
});
