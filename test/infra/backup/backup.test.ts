import { readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Manifest } from '../../../infra/backup/manifest.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually, syncWorkspace } from '../../support/sync.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace.ts';
import { personEnvironment, runWrs, startWrs } from '../../support/wrs.ts';

/** Large enough that copying it takes noticeable time. The file is sparse, so it takes no disk space. */
const LARGE_BYTES = 100_000_000;

let service: Service;
let workspace: TestWorkspace;
let env: Record<string, string>;
let place: string;
let backup: string;

beforeAll(async () => {
  place = await tempFolder();
  service = await startService();
  workspace = await makeWorkspace(service);
  await writeFile(join(workspace.root, 'owls.md'), '# Owls\n\nOwls hunt at night.\n');
  await syncWorkspace(service, workspace.id);
  await writeFile(join(workspace.root, 'large.bin'), '');
  await truncate(join(workspace.root, 'large.bin'), LARGE_BYTES);
  await symlink('/etc/passwd', join(workspace.root, 'link'));
  await service.call('POST', '/api/notes', { workspaceId: workspace.id, title: 'before', content: '' });
  await service.call('PUT', '/api/settings', { hubAToken: 'hf_secret' });
  env = { ...(await personEnvironment()), DATA_DIR: service.dataDir };
  backup = join(place, 'backup');
});

async function unfinishedBeside(folder: string): Promise<string[]> {
  const names = await readdir(dirname(folder)).catch(() => []);
  return names.filter((name) => name.startsWith(`.${basename(folder)}.unfinished-`));
}

/** Starts the backup, and kills it while it copies the large file, so that part of the backup exists. */
async function killHalfway(
  args: string[],
  folder: string,
  data: string,
  from: Record<string, string>,
): Promise<void> {
  const { child, ended } = startWrs(args, { env: from, cwd: place });
  const size = async () => {
    const [aside = ''] = await unfinishedBeside(folder);
    const file = join(dirname(folder), aside, data, 'workspaces', basename(workspace.root), 'large.bin');
    return (await stat(file).catch(() => undefined))?.size ?? 0;
  };
  await eventually(size, (bytes) => bytes > 0 || child.exitCode !== null);
  child.kill('SIGKILL');
  expect((await ended).code).toBe(-1);
}

describe('wrs backup', () => {
  it('leaves no backup under the name if it is killed', async () => {
    await killHalfway(['backup', backup], backup, 'data', env);
    expect(await readdir(place)).toEqual([expect.stringMatching(/^\.backup\.unfinished-/)]);
  });

  it('creates a complete copy while the service writes, and removes files of the killed backup', async () => {
    const writing = writeAllTheTime(service, workspace.id);
    const { code, stderr } = await runWrs(['backup', backup, '--json'], { env, cwd: place });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const written = await writing.stop();
    expect(written).toBeGreaterThan(0);
    expect(await readdir(place)).toEqual(['backup']);
    expect(await readdir(service.dataDir)).not.toContainEqual(expect.stringContaining('unfinished-'));
    const { entries, leftOut } = JSON.parse(
      await readFile(join(backup, 'manifest.json'), 'utf8'),
    ) as Manifest;
    expect(leftOut).toEqual([]);
    expect(entries).toContainEqual({
      type: 'link',
      path: expect.stringMatching(/\/link$/),
      target: '/etc/passwd',
    });
    expect((await stat(join(backup, 'data/secrets.json'))).mode & 0o777).toBe(0o600);
    expect((await stat(backup)).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['an existing folder', () => backup, /already exists/],
    ['a folder inside the data folder', () => join(service.dataDir, 'copy'), /is in the data folder/],
  ])('rejects %s', async (_name, target, words) => {
    const { code, stderr } = await runWrs(['backup', target()], { env, cwd: place });
    expect(code).toBe(1);
    expect(stderr).toMatch(words);
  });
});

interface Writing {
  stop(): Promise<number>;
}

function writeAllTheTime(to: Service, workspaceId: string): Writing {
  let isOver = false;
  const work = (async () => {
    let count = 0;
    for (; !isOver; count++) {
      const path = `new-${count}.md`;
      await to.call('POST', '/api/files/write', { workspaceId, path, content: `# Bats ${count}\n` });
      await to.call('POST', '/api/notes', { workspaceId, title: `during ${count}`, content: '' });
    }
    return count;
  })();
  return {
    stop() {
      isOver = true;
      return work;
    },
  };
}

describe('wrs restore, on another host', () => {
  let machine: Record<string, string>;
  let dataDir: string;

  beforeAll(async () => {
    machine = await personEnvironment();
    dataDir = join(machine.HOME ?? '', '.local/share/wrs');
  });

  it('leaves nothing under the name if it is killed', async () => {
    await killHalfway(['restore', backup], dataDir, '', machine);
    await expect(stat(dataDir)).rejects.toThrow('ENOENT');
  });

  it('creates the data folder, in which a service finds everything', async () => {
    const { code, stderr } = await runWrs(['restore', backup], { env: machine, cwd: place });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await readdir(dirname(dataDir))).toEqual(['wrs']);
    expect((await stat(join(dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600);
    expect(checkDatabase(dataDir)).toBe('ok');
    const restored = await startService({ DATA_DIR: dataDir });
    const { body: all } = await restored.call<{ id: string; rootPath: string }[]>('GET', '/api/workspaces');
    expect(all).toMatchObject([
      { id: workspace.id, rootPath: join(dataDir, 'workspaces', basename(workspace.root)) },
    ]);
    const { body: found } = await restored.call('GET', `/api/workspaces/${workspace.id}/search?q=owls`);
    expect(found).toMatchObject([{ path: 'owls.md' }]);
    const { body: notes } = await restored.call<{ title: string }[]>(
      'GET',
      `/api/notes?workspaceId=${workspace.id}`,
    );
    expect(notes.map(({ title }) => title)).toContain('before');
    expect((await restored.call('GET', '/api/settings')).body).toMatchObject({
      hubAToken: { configured: true },
    });
    expect(await syncWorkspace(restored, workspace.id)).toMatchObject({ status: 'ready', failedCount: 0 });
    expect(await restored.call('POST', '/api/workspaces', { path: basename(workspace.root) })).toMatchObject({
      status: 200,
      body: { id: workspace.id },
    });
  });

  it('changes no existing data folder, in use or not', async () => {
    const { code, stderr } = await runWrs(['restore', backup], { env: machine, cwd: place });
    expect(code).toBe(1);
    expect(stderr).toMatch(/already exists and was not changed/);
    const { body } = await service.call('GET', '/api/health');
    expect((await runWrs(['restore', backup], { env, cwd: place })).code).toBe(1);
    expect((await service.call('GET', '/api/health')).body).toEqual(body);
  });

  it('creates nothing from a damaged backup', async () => {
    await writeFile(join(backup, 'data/workspaces', basename(workspace.root), 'owls.md'), '# Owl\n');
    const other = await personEnvironment();
    const { code, stderr } = await runWrs(['restore', backup], { env: other, cwd: place });
    expect(code).toBe(1);
    expect(stderr).toMatch(/owls\.md is damaged in the backup/);
    expect(await readdir(join(other.HOME ?? '', '.local/share'))).toEqual([]);
  });
});

function checkDatabase(dataDir: string): unknown {
  const database = new DatabaseSync(join(dataDir, 'service.sqlite'), { readOnly: true });
  const row = database.prepare('PRAGMA integrity_check').get();
  database.close();
  return row?.integrity_check;
}
