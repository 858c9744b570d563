import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { WorkspaceRoots } from '../../../lib/settings/root-schema.ts';
import { startService } from '../../support/service.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const base = await tempFolder();
const [own, named, papers] = [join(base, 'own'), join(base, 'named'), join(base, 'papers')];
const DATA_DIR = join(base, 'service/data');
for (const path of [own, named, papers, join(base, 'a/inner'), join(base, '.keys'), join(base, 'service')])
  await mkdir(path, { recursive: true });
await writeFile(join(papers, 'owls.md'), '# Owls\n');
const service = await startService({ DATA_DIR, WORKSPACE_ROOTS: own }, [named]);

const list = async () => (await service.call<WorkspaceRoots>('GET', '/api/settings/roots')).body.items;
const add = (path: string, to = service) => to.call<WorkspaceRoots>('POST', '/api/settings/roots', { path });
const remove = (path: string) =>
  service.call('DELETE', `/api/settings/roots?path=${encodeURIComponent(path)}`);
const create = (path: string) => service.call<{ id: string }>('POST', '/api/workspaces', { path });
type Answer = Awaited<ReturnType<typeof remove>>;
const codeOf = ({ status, headers }: Answer) => [status, headers['x-error-code']];
const actions = async () => {
  const { body } = await service.call<{ action: string; about: string; outcome: string }[]>(
    'GET',
    '/api/audit?action=roots',
  );
  return body.map(({ action, about, outcome }) => `${action} ${about} ${outcome}`);
};

describe('GET /api/settings/roots', () => {
  it('tells where each root comes from', async () => {
    expect(await list()).toEqual(
      expect.arrayContaining([
        { path: own, source: 'environment', inForce: true },
        { path: named, source: 'command', inForce: true },
      ]),
    );
  });
});

describe('POST /api/settings/roots', () => {
  it('allows workspaces in a folder, without a restart, until it is removed', async () => {
    const inside = join(papers, 'birds');
    expect(codeOf(await create(inside))).toEqual([400, 'path_outside_roots']);
    expect((await add(papers)).body.items).toContainEqual({
      path: papers,
      source: 'settings',
      inForce: true,
    });
    const { body: folders } = await service.call('GET', '/api/system/folders');
    expect(folders).toMatchObject({
      folders: expect.arrayContaining([{ name: papers, path: papers, state: 'free' }]),
    });
    expect(
      (await service.call<{ workspaceRoots: string[] }>('GET', '/api/settings')).body.workspaceRoots,
    ).toContain(papers);
    expect((await service.call<{ roots: unknown[] }>('GET', '/api/system/storage')).body.roots).toHaveLength(
      3,
    );
    const { status, body } = await create(inside);
    expect(status).toBe(201);
    const run = await service.call('POST', '/api/terminal/exec', { command: 'true', cwd: inside });
    expect(run.status).not.toBe(400);
    expect(codeOf(await remove(papers))).toEqual([409, 'root_in_use']);
    await service.call('DELETE', `/api/workspaces/${body.id}`);
    expect((await remove(papers)).status).toBe(200);
    expect(codeOf(await create(inside))).toEqual([400, 'path_outside_roots']);
    const log = await actions();
    expect(log).toContain(`roots.add ${papers} done`);
    expect(log).toContain(`roots.remove ${papers} refused`);
  });

  it('refuses folders of the system, of the service, and of the account', async () => {
    await symlink('/etc', join(base, 'link'));
    await symlink(join(base, 'service'), join(base, 'to-service'));
    const refused = ['/', '/etc', '/usr', '/usr/share', '/proc', '/proc/self/root', '/dev/shm', '/sys'];
    const own = [DATA_DIR, base, join(base, 'service'), process.cwd(), join(process.cwd(), 'docs')];
    const links = [join(base, 'link'), join(base, 'to-service'), `${base}/a/../service`];
    const account = [homedir(), join(base, '.keys'), 'relative', '~'];
    for (const path of [...refused, ...own, ...links, ...account])
      expect([path, ...codeOf(await add(path))]).toEqual([path, 400, 'root_refused']);
    expect(await list()).toHaveLength(2);
  });

  it('refuses a missing folder, a file, and a folder that is already allowed', async () => {
    expect(codeOf(await add(join(base, 'none')))).toEqual([404, 'path_not_found']);
    expect(codeOf(await add(join(papers, 'owls.md')))).toEqual([400, 'not_a_directory']);
    expect(codeOf(await add(own))).toEqual([400, 'root_refused']);
  });

  it('does not follow a link that replaced the folder later', async () => {
    const [place, aside] = [join(base, 'moved'), join(base, 'aside')];
    await mkdir(place);
    await add(place);
    await rename(place, aside);
    await symlink(join(base, 'a'), place);
    expect(codeOf(await create(join(place, 'inner')))).toEqual([400, 'path_outside_roots']);
    expect(await list()).toContainEqual({ path: place, source: 'settings', inForce: false });
    await rm(place);
    expect((await remove(place)).status).toBe(200);
  });

  it('keeps each of several folders that are added at once', async () => {
    const places = [1, 2, 3, 4].map((number) => join(base, `many-${number}`));
    for (const place of places) await mkdir(place);
    await Promise.all(places.map((place) => add(place)));
    const paths = (await list()).map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(places));
    for (const place of places) await remove(place);
  });

  it('is refused if a command could be the caller', async () => {
    const open = await startService({ COMMAND_NETWORK: 'host' });
    expect([
      [403, 'roots_locked'],
      [200, undefined],
    ]).toContainEqual(codeOf(await add(papers, open)));
  });
});

describe('DELETE /api/settings/roots', () => {
  it('refuses roots that the settings do not have', async () => {
    expect(codeOf(await remove(own))).toEqual([409, 'roots_set_in_environment']);
    expect(codeOf(await remove(named))).toEqual([409, 'roots_set_in_environment']);
    expect(codeOf(await remove(papers))).toEqual([404, 'root_not_found']);
  });
});
