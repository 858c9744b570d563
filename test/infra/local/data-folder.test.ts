import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { closeDataFolder, describeOpenData } from '../../../infra/local/data-folder.ts';
import { readConfig } from '../../../lib/config.ts';
import { startService } from '../../support/service.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

async function openFolder(): Promise<string> {
  const folder = join(await tempFolder(), 'data');
  await mkdir(folder);
  await chmod(folder, 0o755);
  return folder;
}

it('closeDataFolder restricts access for others, except to workspaces', async () => {
  const dataDir = await openFolder();
  await mkdir(join(dataDir, 'vectors'), { mode: 0o755 });
  await mkdir(join(dataDir, 'workspaces'), { mode: 0o750 });
  await writeFile(join(dataDir, 'service.sqlite'), '', { mode: 0o644 });
  const config = readConfig({ DATA_DIR: dataDir });
  await closeDataFolder(config);
  const names = ['vectors', 'workspaces', 'service.sqlite'];
  const modes = await Promise.all(names.map((name) => modeOf(join(dataDir, name))));
  expect(modes).toEqual([0o700, 0o750, 0o600]);
  expect(await describeOpenData(config)).toContain(`access to ${dataDir}. Run chmod go= on it`);
  await chmod(dataDir, 0o700);
  expect(await describeOpenData(config)).toBeUndefined();
});

it('service writes private files into a folder that others can read, and warns at the start', async () => {
  const dataDir = await openFolder();
  const service = await startService({ DATA_DIR: dataDir, AUTH_MODE: 'disabled' });
  await service.call('POST', '/api/workspaces', { path: 'papers' });
  expect(service.output()).toContain(`WARNING: other users of this host have access to ${dataDir}.`);
  const inside = (await readdir(dataDir))
    .filter((name) => name !== 'workspaces')
    .map(async (name) => [name, await modeOf(join(dataDir, name))] as const);
  const open = (await Promise.all(inside)).filter(([, mode]) => (mode & 0o077) !== 0);
  expect(open).toEqual([]);
  expect(await readdir(dataDir)).toEqual(expect.arrayContaining(['service.sqlite', 'service.sqlite-wal']));
});

it('service prints no warning for a private folder', async () => {
  const { output } = await startService({ AUTH_MODE: 'disabled' });
  expect(output()).not.toContain('WARNING');
});
