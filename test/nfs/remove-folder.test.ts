import { existsSync } from 'node:fs';
import { mkdir, open, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { lancedbVectors } from '../../lib/adapters/lancedb/vectors.ts';
import { removeTree } from '../../lib/paths/remove-tree.ts';
import type { PassageRow } from '../../lib/ports/vectors.ts';
import { onSecond, sharedFolder } from './hosts.ts';

const HELD = /^\.nfs[0-9a-f]+$/;

function row(path: string): PassageRow {
  const place = { chunk: 0, startLine: 1, endLine: 1, startChar: 0, endChar: 4 };
  return { ...place, path, fileHash: 'h', text: 'apes', part: {}, context: '', vector: null };
}

describe('tables of a workspace that is dropped on NFS', () => {
  it('are removed, except open LanceDB files, and are written again, while another host searches', async () => {
    const { first, second } = await sharedFolder();
    const [here, there] = [lancedbVectors(first), lancedbVectors(second)];
    const [ours, theirs] = [await here.open('w', 'lexical'), await there.open('w', 'lexical')];
    await ours.write([row('a.md')], []);
    await ours.maintain();
    for (const table of [ours, theirs]) expect(await table.searchText('apes', 5)).toHaveLength(1);
    await here.drop('w');
    const left = await readdir(second, { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile() && !HELD.test(entry.name))).toEqual([]);
    for (const table of [ours, theirs]) expect(await table.searchText('apes', 5)).toEqual([]);
    await ours.write([row('b.md'), row('c.md')], []);
    for (const table of [ours, theirs])
      expect((await table.searchText('apes', 5)).map(({ path }) => path).sort()).toEqual(['b.md', 'c.md']);
    await there.drop('w');
    expect(await ours.count()).toBe(0);
  });
});

describe('folder removal on NFS', () => {
  async function makeFolder() {
    const { first } = await sharedFolder();
    const folder = join(first, 'folder');
    await mkdir(join(folder, 'deep'), { recursive: true });
    for (const name of ['a', 'deep/b', 'deep/c']) await writeFile(join(folder, name), name);
    return folder;
  }

  it('succeeds while another host reads a file in it', async () => {
    const folder = await makeFolder();
    await using _ = await open(onSecond(join(folder, 'deep/b')));
    await removeTree(folder);
    expect(existsSync(folder)).toBe(false);
    expect(await readdir(onSecond(join(folder, '..')))).toEqual([]);
  });

  it('reports that the folder is in use while this host reads a file in it, and succeeds afterwards', async () => {
    const folder = await makeFolder();
    const handle = await open(join(folder, 'deep/b'));
    await expect(removeTree(folder)).rejects.toMatchObject({ code: 'EBUSY' });
    expect(await handle.readFile('utf8')).toBe('deep/b');
    await handle.close();
    await removeTree(folder);
    expect(existsSync(folder)).toBe(false);
  });
});
