import { dirname, join } from 'node:path';
import type { StatusRow } from 'isomorphic-git';
import { overwrites } from '../git/bounds.ts';
import { loadGit } from './load.ts';
import { type CloneAt, diffTrees, type TreeChange } from './trees.ts';

/** Moves the files and the index from one commit to another. Changes nothing if a file would be lost. */
export async function moveTo(place: CloneAt, from: string, to: string): Promise<number> {
  const changes = await diffTrees(place, from, to);
  await refuseOverwrites(place, changes);
  await moveFiles(place, changes);
  return changes.length;
}

/** Throws if the move would lose a file: one that differs from HEAD, or one at the path of a new file. */
async function refuseOverwrites(place: CloneAt, changes: TreeChange[]): Promise<void> {
  const git = await loadGit();
  const touched = new Set(changes.map(({ path }) => path));
  const folders = new Set(changes.flatMap(({ path, after }) => (after ? parentFolders(path) : [])));
  for (const row of await git.statusMatrix({ ...place, ignored: true })) {
    const [path, head] = row;
    if (isUntouched(row)) continue;
    const inTheWay =
      head === 0 && (folders.has(path) || parentFolders(path).some((folder) => touched.has(folder)));
    if (touched.has(path) || inTheWay) throw overwrites();
  }
}

/** Returns whether a file is unchanged. A deleted file counts as unchanged, and is restored, as in git. */
function isUntouched([, head, folder, index]: StatusRow): boolean {
  return head === 1 && folder !== 2 && index === 1;
}

export function parentFolders(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...parentFolders(folder)];
}

/** Deletes first, because a file may be replaced with a folder, or a folder with a file. */
async function moveFiles(place: CloneAt, changes: TreeChange[]): Promise<void> {
  const git = await loadGit();
  for (const { path } of changes.filter(({ after }) => after === undefined)) {
    await removeFile(place, path);
    await removeEmpty(place, parentFolders(path));
    await git.remove({ ...place, filepath: path });
  }
  for (const { path, after } of changes) {
    if (after === undefined) continue;
    await putFile(place, path, after);
    await git.updateIndex({ ...place, filepath: path, oid: after.oid, mode: after.mode, add: true });
  }
}

async function removeFile({ fs, dir }: CloneAt, path: string): Promise<void> {
  await fs.promises.unlink(join(dir, path)).catch(unlessMissing);
}

export async function putFile(
  { fs, dir, gitdir, cache }: CloneAt,
  path: string,
  after: { oid: string; mode: number },
) {
  const git = await loadGit();
  const { blob } = await git.readBlob({ fs, gitdir, cache, oid: after.oid });
  const place = join(dir, path);
  for (const folder of parentFolders(path).reverse()) {
    await fs.promises.mkdir(join(dir, folder)).catch(unlessThere);
  }
  if (after.mode === 0o120000) await fs.promises.symlink(Buffer.from(blob).toString(), place);
  else await fs.promises.writeFile(place, blob, { mode: after.mode === 0o100755 ? 0o777 : 0o666 });
}

async function removeEmpty({ fs, dir }: CloneAt, folders: string[]): Promise<void> {
  for (const folder of folders) {
    const removed = await fs.promises.rmdir(join(dir, folder)).then(
      () => true,
      () => false, // the folder still has other files
    );
    if (!removed) return;
  }
}

function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
