import { existsSync, statSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { countCalls, sharedFolder } from './hosts.ts';

/** Checks that the mounts behave like NFS. Each of these results would differ on a local disk. */
describe('two hosts with a folder on NFS', () => {
  let first: string;
  let second: string;
  beforeEach(async () => {
    ({ first, second } = await sharedFolder());
    await writeFile(join(first, 'file'), 'old');
    await readdir(second);
    expect(statSync(join(second, 'file')).size).toBe(3);
  });

  it("see the other's write to a file only when they open it, not in a stat or after a listing", async () => {
    await writeFile(join(first, 'file'), 'longer');
    expect(statSync(join(second, 'file')).size).toBe(3);
    await readdir(second);
    expect(statSync(join(second, 'file')).size).toBe(3);
    expect(await readFile(join(second, 'file'), 'utf8')).toBe('longer');
    expect(statSync(join(second, 'file')).size).toBe(6);
  });

  it('see after a listing that the other replaced a file', async () => {
    await writeFile(join(first, 'new'), 'longer');
    await rename(join(first, 'new'), join(first, 'file'));
    expect(statSync(join(second, 'file')).size).toBe(3);
    await readdir(second);
    expect(statSync(join(second, 'file')).size).toBe(6);
  });

  it('still miss a new file that they looked up before its creation, until a listing', async () => {
    expect(existsSync(join(second, 'late'))).toBe(false);
    await writeFile(join(first, 'late'), 'x');
    await expect(readFile(join(second, 'late'))).rejects.toThrow('ENOENT');
    await readdir(second);
    expect(await readFile(join(second, 'late'), 'utf8')).toBe('x');
  });

  it('keep a file under another name, with its folder, if they remove it while it is open', async () => {
    await mkdir(join(first, 'folder'));
    await writeFile(join(first, 'folder/held'), 'x');
    const handle = await open(join(first, 'folder/held'));
    await unlink(join(first, 'folder/held'));
    const [hidden] = await readdir(join(second, 'folder'));
    expect(hidden).toMatch(/^\.nfs[0-9a-f]{24}$/);
    await expect(rmdir(join(first, 'folder'))).rejects.toThrow('ENOTEMPTY');
    await expect(rm(join(first, 'folder'), { recursive: true })).rejects.toThrow();
    expect(await handle.readFile('utf8')).toBe('x');
    await handle.close();
    // The client removes it after the close, asynchronously.
    while ((await readdir(join(first, 'folder'))).length > 0)
      await new Promise((done) => setTimeout(done, 5));
    await rmdir(join(first, 'folder'));
  });

  it("can't read the rest of a file that the other removed", async () => {
    await using handle = await open(join(second, 'file'));
    await unlink(join(first, 'file'));
    await expect(handle.read(Buffer.alloc(10), 0, 10, 0)).rejects.toThrow(/ESTALE|116/);
  });

  it('need a network call for uncached data', async () => {
    const file = join(second, 'file');
    expect(await countCalls('second', () => stat(file))).toEqual({});
    expect(await countCalls('second', () => readFile(file))).toEqual({ OPEN: 1, READ: 1, CLOSE: 1 });
  });
});
