import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Changed, CommitDraft, Committed, Pushed } from '../../ports/repositories.ts';
import {
  conflicts,
  noBranch,
  nothingStaged,
  pushRejected,
  refuseOther,
  requireFastForward,
  requirePushable,
} from '../git/bounds.ts';
import { findRemote } from '../git/remote.ts';
import {
  changedMeanwhile,
  keepBranch,
  keepIndex,
  keepUpstream,
  type RepositorySettings,
  requireSettled,
} from '../git/shadow.ts';
import type { ChangedClone } from '../git/writers.ts';
import { remoteHttp } from './http.ts';
import { loadGit } from './load.ts';
import { moveTo, parentFolders, putFile } from './move-files.ts';
import { type CloneAt, countTree, readIndex } from './trees.ts';

/** A clone that is being changed. */
export interface CloneWork extends ChangedClone {
  place: CloneAt;
  signal: AbortSignal;
}

export async function stagePaths(
  { place, root, shadow, replaceFile }: CloneWork,
  paths: string[],
): Promise<Changed> {
  const git = await loadGit();
  const indexed = await git.listFiles(place);
  for (const filepath of paths) {
    const found = await lstat(join(root, filepath)).catch(() => undefined);
    if (found?.isDirectory()) throw changedMeanwhile();
    const folders = parentFolders(filepath);
    const replaced = indexed.filter((path) => folders.includes(path) || path.startsWith(`${filepath}/`));
    for (const path of found === undefined ? [filepath] : replaced)
      await git.remove({ ...place, filepath: path });
    if (found !== undefined) await git.add({ ...place, filepath, force: true });
  }
  await keepIndex(replaceFile, root, shadow);
  return true;
}

export async function unstagePaths(
  { place, root, shadow, replaceFile }: CloneWork,
  paths: string[],
): Promise<Changed> {
  const git = await loadGit();
  for (const filepath of paths) await git.resetIndex({ ...place, filepath });
  await keepIndex(replaceFile, root, shadow);
  return true;
}

export async function commitIndex(
  { place, root, shadow, replaceFile }: CloneWork,
  { message, author }: CommitDraft,
): Promise<Committed> {
  const git = await loadGit();
  const { branch, commit: parent } = shadow;
  if (branch === null) throw noBranch();
  await requireSettled(root);
  const commit = await git
    .commit({ ...place, message, author, committer: author, noUpdateBranch: true })
    .catch(asConflict);
  const [tree, before] = await Promise.all([treeOf(place, commit), parent && treeOf(place, parent)]);
  if (tree === (before ?? EMPTY_TREE)) throw nothingStaged();
  await keepBranch(replaceFile, root, branch, { from: parent, to: commit });
  return { branch, commit };
}

/** Git's hash of the empty tree. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

async function treeOf({ fs, gitdir, cache }: CloneAt, oid: string): Promise<string> {
  const git = await loadGit();
  return (await git.readCommit({ fs, gitdir, cache, oid })).commit.tree;
}

function asConflict(error: unknown): never {
  throw (error as Error).name === 'UnmergedPathsError' ? conflicts() : error;
}

/** Changes the files to those of another commit. Returns the number of changed files. */
export async function switchTo({ place, root, shadow, replaceFile }: CloneWork, to: string): Promise<number> {
  const from = shadow.commit;
  if (from === undefined) throw noBranch();
  if (from === to) return 0;
  for (const commit of [from, to]) await countTree(place, commit);
  const changedFiles = await moveTo(place, from, to);
  await keepIndex(replaceFile, root, shadow);
  return changedFiles;
}

/** Restores files from the index. */
export async function restoreFiles({ place, root }: CloneWork, paths: string[]): Promise<Changed> {
  for (const path of paths) await refuseOther(root, path);
  const indexed = await readIndex(place, paths);
  for (const path of paths) {
    const entry = indexed.get(path);
    if (entry === undefined) throw changedMeanwhile();
    await putFile(place, path, entry);
  }
  return true;
}

/** Sends the branch, fast-forward only. */
export async function pushBranch(
  { place, root, shadow, replaceFile, signal }: CloneWork,
  settings: RepositorySettings,
): Promise<Pushed> {
  const git = await loadGit();
  const { branch, commit, upstream } = requirePushable(shadow, settings.tokenFor);
  const remote = await findRemote(settings, upstream.url, signal);
  const { fs, gitdir, cache } = place;
  const to = { http: remoteHttp(remote, signal), url: remote.url, remote: 'origin' };
  await git
    .push({ fs, gitdir, cache, ...to, ref: branch, remoteRef: upstream.branch, force: false })
    .catch(asRefusal);
  await keepUpstream(replaceFile, root, upstream, commit);
  return { branch, commit };
}

function asRefusal(error: unknown): never {
  const { code } = error as NodeJS.ErrnoException;
  requireFastForward(code !== 'PushRejectedError');
  throw code === 'GitPushError' || code === 'HttpError' ? pushRejected() : error;
}
