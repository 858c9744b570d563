import { treeCounter } from '../git/bounds.ts';
import type { confinedFs } from './confined-fs.ts';
import { loadGit } from './load.ts';

export interface CloneAt {
  fs: ReturnType<typeof confinedFs>;
  dir: string;
  gitdir: string;
  cache: object;
}

export interface TreeChange {
  path: string;
  /** The new entry; undefined if the file is removed. */
  after: { oid: string; mode: number } | undefined;
}

/** Checks a tree's number of files. Their sizes are added up as the files are written. Throws TooLarge. */
export async function countTree({ cache, ...place }: CloneAt, commit: string): Promise<void> {
  const git = await loadGit();
  const count = treeCounter();
  const trees = [git.TREE({ ref: commit })];
  await git.walk({ ...place, cache, trees, map: async (path) => count(0, path === '.' ? undefined : path) });
}

/** Returns the files in which two commits differ. */
export async function diffTrees(
  { cache, ...place }: CloneAt,
  from: string,
  to: string,
): Promise<TreeChange[]> {
  const git = await loadGit();
  const trees = [git.TREE({ ref: from }), git.TREE({ ref: to })];
  const changes: TreeChange[] = [];
  await git.walk({
    ...place,
    cache,
    trees,
    async map(path, [before, after]) {
      const [old, now] = await Promise.all([before?.oid(), after?.oid()]);
      const [oldMode, mode = 0] = await Promise.all([before?.mode(), after?.mode()]);
      if (old === now && oldMode === mode) return null; // then nothing below it differs
      const [oldType, type] = await Promise.all([before?.type(), after?.type()]);
      if (type === 'blob') changes.push({ path, after: { oid: now ?? '', mode } });
      else if (oldType === 'blob') changes.push({ path, after: undefined });
      return undefined;
    },
  });
  return changes;
}

/** Returns the index entries of some files. */
export async function readIndex(
  { cache, ...place }: CloneAt,
  paths: string[],
): Promise<Map<string, { oid: string; mode: number }>> {
  const git = await loadGit();
  const wanted = new Set(paths);
  const found = new Map<string, { oid: string; mode: number }>();
  await git.walk({
    ...place,
    cache,
    trees: [git.STAGE()],
    async map(path, [entry]) {
      if (!wanted.has(path) || (await entry?.type()) !== 'blob') return;
      const [oid, mode] = await Promise.all([entry?.oid(), entry?.mode()]);
      if (oid !== undefined && mode !== undefined) found.set(path, { oid, mode });
    },
  });
  return found;
}
