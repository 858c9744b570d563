import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Conflict, InvalidInput, NotFound, TooLarge, UpstreamFailed } from '../../errors.ts';
import { MAX_TREE_BYTES, MAX_TREE_FILES, type WantedBranch } from '../../ports/repositories.ts';
import { findInTheWay } from './in-the-way.ts';
import { type Clone, isBranchName, readBranch } from './shadow.ts';

const LOOK_EVERY_MS = 500;

/** Runs `work` with a signal that combines the caller's with a deadline. */
export async function withinTime<Result>(
  done: string,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (until: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    return await work(signal === undefined ? deadline : AbortSignal.any([deadline, signal]));
  } catch (error) {
    signal?.throwIfAborted();
    if (!deadline.aborted) throw error;
    throw new UpstreamFailed(
      'git_timeout',
      `The repository could not be ${done} within ${timeoutMs / 1000} s. Try again, or use a smaller repository.`,
    );
  }
}

/** Throws Conflict if the current branch has no upstream. */
export function requireUpstream<Known extends Clone>(clone: Known) {
  const { branch, commit, upstream } = clone;
  if (branch === null) throw noBranch();
  if (commit === undefined)
    throw new Conflict('git_branch_missing', 'The branch has no commit yet. Clone the repository again.');
  if (upstream === undefined)
    throw new Conflict(
      'git_upstream_missing',
      'The branch has no upstream branch. Set one with git branch --set-upstream-to.',
    );
  return { branch, commit, upstream };
}

/** Throws Conflict if there is nothing to push, or if the upstream isn't the URL that may receive the credential. */
export function requirePushable<Known extends Clone>(clone: Known, tokenFor: string | null | undefined) {
  const found = requireUpstream(clone);
  if (found.upstream.url === tokenFor) return found;
  throw new Conflict(
    'git_upstream_missing',
    "The branch's remote is not the URL that the workspace was cloned from, so the service doesn't push to it.",
  );
}

export function requireFastForward(possible: boolean): void {
  if (!possible)
    throw new Conflict(
      'git_diverged',
      'The branch and its upstream branch have diverged. Merge or rebase, then pull again.',
    );
}

export function noBranch(): Conflict {
  return new Conflict('git_branch_missing', 'The clone is not on a branch. Check out a branch.');
}

export function nothingStaged(): Conflict {
  return new Conflict('git_nothing_staged', 'Nothing is staged. Stage changes, then commit.');
}

export function conflicts(): Conflict {
  return new Conflict('git_conflicts', 'Some files have merge conflicts. Resolve them first.');
}

/** Returns the commit that the wanted branch has, or will get; undefined before the first commit. */
export async function requireTarget(
  root: string,
  { commit, branch }: Clone,
  { name, create }: WantedBranch,
): Promise<string | undefined> {
  if (!isBranchName(name))
    throw new InvalidInput('invalid_value', 'name must be a branch name that git accepts.', {
      field: 'name',
    });
  const found = await readBranch(root, name);
  if (!create) {
    if (found === undefined && name !== branch)
      throw new NotFound('git_branch_not_found', 'There is no local branch with this name.', {
        field: 'name',
      });
    return found;
  }
  if (found === undefined && name !== branch) return commit;
  throw new Conflict('git_branch_exists', 'A branch with this name already exists.', { field: 'name' });
}

/**
 * Throws Conflict if a folder has replaced a file, or a file the folder of one, because restoring would
 * remove it.
 */
export async function refuseOther(root: string, path: string): Promise<void> {
  const found = await findInTheWay(root, path);
  if (found !== undefined && (found.isFolder || found.path !== path)) throw overwrites();
}

export function pushRejected(): Conflict {
  return new Conflict(
    'git_push_rejected',
    "The Git host rejected the push. Check the branch's rules, and whether CODE_HOST_TOKEN may write.",
  );
}

export function overwrites(): Conflict {
  return new Conflict(
    'git_local_changes',
    'This would overwrite local changes, or files that are not tracked. Commit, discard, or move them first.',
  );
}

export function tooLarge(): TooLarge {
  return new TooLarge(
    'git_repository_too_large',
    `The repository is too large: over ${MAX_TREE_BYTES / 1024 ** 3} GB or ${MAX_TREE_FILES} files.`,
  );
}

/**
 * Adds up the sizes of a tree's files. Throws for paths that no tree may contain: outside the tree, or in
 * git's own folder.
 */
export function treeCounter() {
  let [bytes, files] = [0, 0];
  return (size: number, path = 'a') => {
    if (path.split('/').some((name) => /^(?:|\.|\.\.|\.git)$/i.test(name)))
      throw new UpstreamFailed(
        'git_repository_unusable',
        "The repository contains a path that isn't allowed.",
      );
    bytes += size;
    files += 1;
    if (bytes > MAX_TREE_BYTES || files > MAX_TREE_FILES) throw tooLarge();
  };
}

/** Like treeCounter, for the output of `git ls-tree -r -l -z`: `mode type hash size\tpath\0`. */
export function treeGuard(): (chunk: Buffer) => void {
  const count = treeCounter();
  let rest = '';
  return (chunk) => {
    const entries = (rest + chunk.toString('latin1')).split('\0');
    rest = entries.pop() ?? '';
    for (const entry of entries) {
      const [, size, path] = /^\S+ \S+ \S+ +(\d+|-)\t(.*)$/s.exec(entry) ?? [];
      count(Number(size) || 0, path);
    }
  };
}

/** Aborts when the files of a folder exceed the size limit. */
export function watchSize(folder: string): { signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const look = async () => {
    if ((await sizeOf(folder)) > MAX_TREE_BYTES) controller.abort(tooLarge());
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  return { signal: controller.signal, end: () => clearInterval(timer) };
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
