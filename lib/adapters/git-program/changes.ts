import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Changed, CommitDraft, Committed } from '../../ports/repositories.ts';
import { conflicts, noBranch, nothingStaged, refuseOther } from '../git/bounds.ts';
import { changedMeanwhile, keepBranch, keepIndex, requireSettled } from '../git/shadow.ts';
import type { ChangedClone } from '../git/writers.ts';
import { guardTree } from './clone.ts';
import { moveFiles } from './move-files.ts';
import { forPaths, type GitCall, GitFailed, type GitProgram, output } from './program.ts';

/** A clone that is being changed. */
export interface CloneWork extends ChangedClone {
  git: GitProgram;
  call: Omit<GitCall, 'args'>;
}

/**
 * Uses git commands that take exact file names, start no other program, and don't look into nested
 * repositories.
 */
export async function stagePaths(
  { git, call, root, shadow, replaceFile }: CloneWork,
  paths: string[],
): Promise<Changed> {
  const args = ['update-index', '--add', '--remove', '--replace', '--'];
  await forPaths(paths, (part) => git({ ...call, args: [...args, ...part] }).catch(asChanged));
  await keepIndex(replaceFile, root, shadow);
  return true;
}

export async function unstagePaths(
  { git, call, root, shadow, replaceFile }: CloneWork,
  paths: string[],
): Promise<Changed> {
  await forPaths(paths, (part) => git({ ...call, args: ['reset', '--quiet', '--', ...part] }));
  await keepIndex(replaceFile, root, shadow);
  return true;
}

/** Writes the commit without hooks, editor, or signature: `git commit-tree` uses none of them. */
export async function commitIndex(
  { git, call, root, shadow, replaceFile }: CloneWork,
  { message, author }: CommitDraft,
): Promise<Committed> {
  const { branch, commit: parent, gitdir } = shadow;
  if (branch === null) throw noBranch();
  await requireSettled(root);
  const tree = await treeOfIndex(git, call);
  if (tree === (await treeOf(git, call, parent))) throw nothingStaged();
  const file = join(gitdir, 'message');
  await writeFile(file, message); // every user of the host could read an argument
  const args = ['commit-tree', tree, ...(parent === undefined ? [] : ['-p', parent]), '-F', file];
  const commit = await hashFrom(git, { ...call, places: { ...call.places, ...identity(author) }, args });
  await keepBranch(replaceFile, root, branch, { from: parent, to: commit });
  return { branch, commit };
}

function identity({ name, email }: CommitDraft['author']): Record<string, string> {
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}

async function treeOf(git: GitProgram, call: CloneWork['call'], commit: string | undefined): Promise<string> {
  if (commit !== undefined) return hashFrom(git, { ...call, args: ['rev-parse', `${commit}^{tree}`] });
  return hashFrom(git, { ...call, args: ['hash-object', '-t', 'tree', '/dev/null'] });
}

async function treeOfIndex(git: GitProgram, call: CloneWork['call']): Promise<string> {
  try {
    return await hashFrom(git, { ...call, args: ['write-tree'] });
  } catch (error) {
    if (error instanceof GitFailed) throw conflicts();
    throw error;
  }
}

async function hashFrom(git: GitProgram, call: GitCall): Promise<string> {
  return (await output(git, call)).trim();
}

/** Changes the files to those of another commit. Returns the number of changed files. */
export async function switchTo(
  { git, call, root, shadow, replaceFile }: CloneWork,
  to: string,
): Promise<number> {
  const from = shadow.commit;
  if (from === undefined) throw noBranch();
  if (from === to) return 0;
  for (const commit of [from, to]) await guardTree(git, call, commit);
  const changed = await moveFiles(git, call, root, { from, to });
  await keepIndex(replaceFile, root, shadow);
  return changed.length;
}

/**
 * Restores files from the index. Checks their sizes first, because even a small object can expand to any
 * size.
 */
export async function restoreFiles({ git, call, root }: CloneWork, paths: string[]): Promise<Changed> {
  for (const path of paths) await refuseOther(root, path);
  await guardTree(git, call, await treeOfIndex(git, call));
  const args = ['checkout-index', '--force', '--quiet', '--'];
  await forPaths(paths, (part) => git({ ...call, args: [...args, ...part] }).catch(asChanged));
  return true;
}

/** Maps the error for a file that has become a folder, or has disappeared. */
function asChanged(error: unknown): never {
  if (error instanceof GitFailed) throw changedMeanwhile();
  throw error;
}
