import { overwrites } from '../git/bounds.ts';
import { findInTheWay } from '../git/in-the-way.ts';
import { forPaths, type GitCall, GitFailed, type GitProgram, output } from './program.ts';

type Call = Omit<GitCall, 'args'>;

/**
 * Moves the files and the index of the working tree from one commit to another. Changes nothing if that would
 * overwrite a file that someone else changed, or an untracked file. Returns the changed paths.
 */
export async function moveFiles(
  git: GitProgram,
  call: Call,
  root: string,
  { from, to }: { from: string; to: string },
): Promise<string[]> {
  await refuseUntracked(git, call, root, await changedPaths(git, call, ['--diff-filter=A', from, to]));
  // 1: some files have changed.
  await git({ ...call, args: ['update-index', '-q', '--refresh'] }).catch(() => undefined);
  try {
    await git({ ...call, args: ['read-tree', '-m', '-u', '--no-recurse-submodules', from, to] });
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    throw overwrites();
  }
  return changedPaths(git, call, [from, to]);
}

async function changedPaths(git: GitProgram, call: Call, commits: string[]): Promise<string[]> {
  const args = ['diff-tree', '-r', '--no-renames', '--name-only', '-z', ...commits];
  return (await output(git, { ...call, args })).split('\0').filter((path) => path !== '');
}

/**
 * Git itself overwrites ignored files without asking, because it assumes that they can be generated again.
 */
async function refuseUntracked(git: GitProgram, call: Call, root: string, added: string[]): Promise<void> {
  const found = new Set<string>();
  for (const path of added) {
    const inTheWay = await findInTheWay(root, path);
    if (inTheWay !== undefined) found.add(inTheWay.path);
  }
  await forPaths([...found], async (part) => {
    const untracked = await output(git, { ...call, args: ['ls-files', '--others', '-z', '--', ...part] });
    if (untracked !== '') throw overwrites();
  });
}
