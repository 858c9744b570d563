import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { removeFolder } from '../../../lib/adapters/lancedb/remove-folder.ts';
import { lancedbVectors } from '../../../lib/adapters/lancedb/vectors.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/**
 * Removes a folder as an NFS client does: an open file is renamed, and its folder can't be removed. Some
 * other files aren't reached.
 */
function overNfs(held: string) {
  return async (folder: string) => {
    await rename(join(folder, held), join(folder, dirname(held), '.nfs00000000deadbeef00000001'));
    await rm(join(folder, 'data'), { recursive: true });
    throw Object.assign(new Error('directory not empty'), { code: 'ENOTEMPTY' });
  };
}

async function makeTable(): Promise<string> {
  const folder = join(await tempFolder(), 'space.lance');
  for (const file of [
    'data/1.lance',
    '_versions/1.manifest',
    '_indices/a/part.lance',
    '_indices/b/part.lance',
  ]) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), 'x');
  }
  return folder;
}

describe('removeFolder on NFS', () => {
  it('succeeds when only open files with temporary names are left', async () => {
    const folder = await makeTable();
    await removeFolder(folder, overNfs('_indices/a/part.lance'));
    const left = await readdir(folder, { recursive: true });
    expect(left.sort()).toEqual(['_indices', '_indices/a', '_indices/a/.nfs00000000deadbeef00000001']);
    await removeFolder(folder);
    expect(existsSync(folder)).toBe(false);
  });

  it('fails for every other reason', async () => {
    const folder = await makeTable();
    const refused = Object.assign(new Error('no'), { code: 'EACCES' });
    await expect(removeFolder(folder, () => Promise.reject(refused))).rejects.toBe(refused);
    expect(existsSync(folder)).toBe(true);
  });
});

describe('workspace that is dropped after a search', () => {
  it('is deleted in one space or completely, and can be written again', async () => {
    const folder = await tempFolder();
    const vectors = lancedbVectors(folder);
    const table = await vectors.open('w', 'lexical');
    const place = { path: 'a.md', chunk: 0, startLine: 1, endLine: 1, startChar: 0, endChar: 4 };
    const row = { ...place, fileHash: 'h', text: 'apes', part: {}, context: '', vector: null };
    await table.write([row], []);
    await table.maintain();
    await table.searchText('apes', 5);
    await vectors.drop('w', { keepSpace: 'other' });
    expect(existsSync(join(folder, 'w', 'lexical.lance'))).toBe(false);
    expect(await table.count()).toBe(0);
    await table.write([row], []);
    expect(await table.searchText('apes', 5)).toHaveLength(1);
    await vectors.drop('w');
    expect(existsSync(join(folder, 'w'))).toBe(false);
  });
});
