import { dirname, join } from 'node:path';
import type { StatusRow } from 'isomorphic-git';
import type { Pulled } from '../../ports/repositories.ts';
import { overwrites, requireFastForward, requireUpstream, treeCounter } from '../git/bounds.ts';
import { findRemote } from '../git/remote.ts';
import { keepPulled, type RepositorySettings, type Shadow } from '../git/shadow.ts';
import { confinedFs } from './confined-fs.ts';
import { remoteHttp } from './http.ts';
import { loadGit } from './load.ts';
import { type CloneAt, countTree, diffTrees, type TreeChange } from './trees.ts';

/** Fetches, then fast-forwards the branch and the files. */
export async function pullInto(
  settings: RepositorySettings,
  root: string,
  shadow: Shadow,
  signal: AbortSignal,
): Promise<Pulled> {
  const git = await loadGit();
  const { branch, commit: from, upstream } = requireUpstream(shadow);
  const remote = await findRemote(settings, upstream.url, signal);
  const fs = confinedFs({ root, gitdir: shadow.gitdir }, signal, treeCounter());
  const place = { fs, dir: root, gitdir: shadow.gitdir, cache: {} };
  await git.fetch({
    ...place,
    http: remoteHttp(remote, signal),
    url: remote.url,
    remote: 'origin',
    ref: branch,
    remoteRef: upstream.branch,
    singleBranch: true,
    tags: false,
  });
  const to = await git.resolveRef({ ...place, ref: `refs/remotes/origin/${upstream.branch}` });
  if (to === from || (await isAncestor(place, to, from))) return { branch, from, to: from, changedFiles: 0 };
  requireFastForward(await isAncestor(place, from, to));
  for (const commit of [from, to]) await countTree(place, commit);
  const changes = await diffTrees(place, from, to);
  await refuseOverwrites(place, changes);
  await moveFiles(place, changes);
  await keepPulled(settings.replaceFile, root, shadow, to);
  return { branch, from, to, changedFiles: changes.length };
}

async function isAncestor(place: CloneAt, older: string, newer: string): Promise<boolean> {
  const git = await loadGit();
  return git.isDescendent({ ...place, oid: newer, ancestor: older, depth: -1 });
}

/** Throws, instead of pulling, if a file would be lost: one that differs from HEAD, or one in the way of a new file. */
async function refuseOverwrites(place: CloneAt, changes: TreeChange[]): Promise<void> {
  const git = await loadGit();
  const touched = new Set(changes.map(({ path }) => path));
  const folders = new Set(changes.flatMap(({ path, after }) => (after ? foldersOf(path) : [])));
  for (const row of await git.statusMatrix({ ...place, ignored: true })) {
    const [path, head] = row;
    if (isUntouched(row)) continue;
    const inTheWay =
      head === 0 && (folders.has(path) || foldersOf(path).some((folder) => touched.has(folder)));
    if (touched.has(path) || inTheWay) throw overwrites();
  }
}

/** Returns whether a file is unchanged. A file that was only deleted counts, and is restored, as in git. */
function isUntouched([, head, folder, index]: StatusRow): boolean {
  return head === 1 && folder !== 2 && index === 1;
}

function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersOf(folder)];
}

/** Deletes first, because a file may become a folder, and a folder may become a file. */
async function moveFiles(place: CloneAt, changes: TreeChange[]): Promise<void> {
  const git = await loadGit();
  for (const { path } of changes.filter(({ after }) => after === undefined)) {
    await removeFile(place, path);
    await removeEmpty(place, foldersOf(path));
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

async function putFile(
  { fs, dir, gitdir, cache }: CloneAt,
  path: string,
  after: { oid: string; mode: number },
) {
  const git = await loadGit();
  const { blob } = await git.readBlob({ fs, gitdir, cache, oid: after.oid });
  const place = join(dir, path);
  for (const folder of foldersOf(path).reverse()) {
    await fs.promises.mkdir(join(dir, folder)).catch(unlessThere);
  }
  if (after.mode === 0o120000) await fs.promises.symlink(Buffer.from(blob).toString(), place);
  else await fs.promises.writeFile(place, blob, { mode: after.mode === 0o100755 ? 0o777 : 0o666 });
}

async function removeEmpty({ fs, dir }: CloneAt, folders: string[]): Promise<void> {
  for (const folder of folders) {
    const removed = await fs.promises.rmdir(join(dir, folder)).then(
      () => true,
      () => false, // the folder isn't empty
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
