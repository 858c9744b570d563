import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { installOnce } from './install-once.ts';

const CACHE = resolve(import.meta.dirname, '../../.cache');
/** Only for this process, because other work in this checkout shares the folder. */
const NAME = `of-a-test-${process.pid}`;

async function made(): Promise<string[]> {
  const names = await readdir(CACHE).catch(() => []);
  return names.filter((name) => name.startsWith(NAME));
}

beforeEach(() => {
  jest.spyOn(console, 'error').mockReturnValue();
});

afterEach(async () => {
  jest.restoreAllMocks();
  for (const name of await made()) await rm(join(CACHE, name), { recursive: true });
});

describe('installOnce', () => {
  it('installs a version at its first use, and another version next to it', async () => {
    const install = jest.fn((folder: string) => writeFile(join(folder, 'tool'), 'whole'));
    const folder = await installOnce(NAME, '1', install);
    expect(await installOnce(NAME, '1', install)).toBe(folder);
    expect(install).toHaveBeenCalledTimes(1);
    expect(await readFile(join(folder, 'tool'), 'utf8')).toBe('whole');
    await installOnce(NAME, '2', install);
    expect(await made()).toEqual([`${NAME}-1`, `${NAME}-2`]);
  });

  it('makes three attempts, each in an empty folder, and leaves no folder that looks complete', async () => {
    const found: string[][] = [];
    const install = async (folder: string) => {
      found.push(await readdir(folder));
      await writeFile(join(folder, 'half'), '');
      throw new Error('the registry is away');
    };
    await expect(installOnce(NAME, '1', install)).rejects.toThrow('the registry is away');
    expect(found).toEqual([[], [], []]);
    expect(existsSync(join(CACHE, `${NAME}-1`))).toBe(false);
  });

  it('removes the files of a killed install, and keeps a folder that a running install fills', async () => {
    const { pid } = spawnSync('true');
    const [dead, living] = [`${NAME}-1.partial-${pid}`, `${NAME}-1.partial-${process.ppid}`];
    for (const name of [dead, living]) await mkdir(join(CACHE, name), { recursive: true });
    await installOnce(NAME, '1', () => Promise.resolve());
    expect(await made()).toEqual([`${NAME}-1`, living]);
  });

  it('uses the folder of another process that was faster', async () => {
    const folder = await installOnce(NAME, '1', async () => {
      await mkdir(join(CACHE, `${NAME}-1`));
      await writeFile(join(CACHE, `${NAME}-1`, 'theirs'), '');
    });
    expect(await readdir(folder)).toEqual(['theirs']);
    expect(await made()).toEqual([`${NAME}-1`]);
  });
});
