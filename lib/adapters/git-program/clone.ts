import { join } from 'node:path';
import { treeGuard, watchSize } from '../git/bounds.ts';
import type { Remote } from '../git/remote.ts';
import { withNetwork } from './network.ts';
import { type GitCall, type GitProgram, succeeds } from './program.ts';

/** Clones into an empty folder that only the service writes to. Creates files only once their sizes are known. */
export async function cloneInto(
  git: GitProgram,
  remote: Remote,
  folder: string,
  until: AbortSignal,
): Promise<void> {
  const sizes = watchSize(join(folder, '.git/objects/pack'));
  const signal = AbortSignal.any([until, sizes.signal]);
  try {
    await withNetwork(remote, (asks) =>
      git({
        args: [
          'clone',
          '--quiet',
          '--depth=1',
          '--no-tags',
          '--no-checkout',
          '--template=',
          '--',
          remote.url,
          folder,
        ],
        ...asks,
        folders: [folder],
        signal,
      }),
    );
  } finally {
    sizes.end();
  }
  const places = { GIT_DIR: join(folder, '.git'), GIT_WORK_TREE: folder };
  const call = { folders: [folder], places, settings: [], signal: until };
  if (!(await succeeds(git({ ...call, args: ['rev-parse', '--quiet', '--verify', 'HEAD'] })))) return; // an empty repository
  await guardTree(git, call, 'HEAD');
  await git({ ...call, args: ['reset', '--hard', '--quiet'] });
}

/** Checks a tree's size before it is unpacked, because even a small pack can expand to any size. */
export async function guardTree(git: GitProgram, call: Omit<GitCall, 'args'>, commit: string): Promise<void> {
  const guard = treeGuard();
  const args = ['ls-tree', '-r', '-l', '-z', '--full-tree', commit];
  await git({ ...call, args, onOutput: guard });
}
