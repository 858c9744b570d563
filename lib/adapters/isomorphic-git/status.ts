import type { StatusRow } from 'isomorphic-git';
import type { FileStatus, GitFile, RepositoryStatus } from '../../ports/repositories.ts';
import { listBranches, type Shadow } from '../git/shadow.ts';
import { sortModified } from '../git/status-output.ts';
import { confinedFs } from './confined-fs.ts';
import { loadGit } from './load.ts';
import type { CloneAt } from './trees.ts';

/** Maximum commits to read when counting how far a clone is ahead or behind. */
const MAX_COMMITS = 10_000;
/** Git's hash of the empty tree, with which the first commit is compared. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

export async function statusOf(root: string, shadow: Shadow, signal: AbortSignal): Promise<RepositoryStatus> {
  const { gitdir, branch, commit, upstream } = shadow;
  const git = await loadGit();
  const place = { fs: confinedFs({ root, gitdir }, signal), dir: root, gitdir, cache: {} };
  const rows = await git.statusMatrix({ ...place, ref: commit ?? EMPTY_TREE });
  const modified = sortModified(rows.flatMap(readRow));
  const known = { branch, branches: await listBranches(root, shadow), modified };
  if (commit === undefined || upstream?.commit === undefined)
    return { ...known, hasUpstream: false, ahead: 0, behind: 0 };
  const own = await commitsOf(place, commit);
  const followed = await commitsOf(place, upstream.commit);
  const [ahead, behind] = [own.difference(followed).size, followed.difference(own).size];
  return { ...known, hasUpstream: true, ahead, behind };
}

async function commitsOf({ fs, gitdir, cache }: CloneAt, commit: string): Promise<Set<string>> {
  const git = await loadGit();
  const entries = await git.log({ fs, gitdir, cache, ref: commit, depth: MAX_COMMITS });
  return new Set(entries.map(({ oid }) => oid));
}

/**
 * Reads the numbers of a row. HEAD is 0 (absent) or 1 (present); folder and index are 0 (absent), 1 (as in
 * HEAD), or higher (different).
 */
function readRow([path, head, folder, index]: StatusRow): GitFile[] {
  const [staged, unstaged] = [index !== head, (folder as number) !== index];
  if (!staged && !unstaged) return [];
  return [{ path, status: statusOfRow(head, folder, index), staged, unstaged }];
}

function statusOfRow(head: number, folder: number, index: number): FileStatus {
  if (head === 0) return index === 0 ? 'untracked' : 'added';
  return folder === 0 ? 'deleted' : 'modified';
}
