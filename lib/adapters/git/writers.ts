import {
  type Changed,
  type CommitDraft,
  type Committed,
  PULL_TIMEOUT_MS,
  type Pushed,
  type Repositories,
  STATUS_TIMEOUT_MS,
  type Switched,
  type WantedBranch,
} from '../../ports/repositories.ts';
import { requireTarget, withinTime } from './bounds.ts';
import { hasToken } from './remote.ts';
import {
  keepBranch,
  keepHead,
  type RepositorySettings,
  requireSettled,
  type Shadow,
  withShadow,
} from './shadow.ts';

/** A clone that is being changed. */
export interface ChangedClone extends Pick<RepositorySettings, 'replaceFile'> {
  root: string;
  shadow: Shadow;
}

/** The operations by which one implementation of Git changes a clone. */
interface CloneChanges<Work extends ChangedClone> {
  open(clone: ChangedClone, signal: AbortSignal): Work;
  stagePaths(work: Work, paths: string[]): Promise<Changed>;
  unstagePaths(work: Work, paths: string[]): Promise<Changed>;
  commitIndex(work: Work, draft: CommitDraft): Promise<Committed>;
  /** Changes the files to those of another commit. Returns the number of changed files. */
  moveTo(work: Work, commit: string): Promise<number>;
  restoreFiles(work: Work, paths: string[]): Promise<Changed>;
  pushBranch(work: Work, settings: RepositorySettings & { tokenFor: string | null }): Promise<Pushed>;
  /** Maps an error of the implementation. */
  unwrap(error: unknown): never;
}

type Writers = 'stage' | 'unstage' | 'commit' | 'branch' | 'discard' | 'push' | 'canPush';

/** Returns the operations that change a clone. */
export function repositoryWriters<Work extends ChangedClone>(
  settings: RepositorySettings,
  changes: CloneChanges<Work>,
): Pick<Repositories, Writers> {
  const { replaceFile } = settings;
  const change = <Result>(
    root: string,
    work: (work: Work) => Promise<Result>,
    { timeoutMs = STATUS_TIMEOUT_MS, signal }: { timeoutMs?: number; signal?: AbortSignal | undefined } = {},
  ) =>
    withinTime('changed', timeoutMs, signal, (until) =>
      withShadow(root, (shadow) =>
        work(changes.open({ root, shadow, replaceFile }, until)).catch(changes.unwrap),
      ),
    );
  return {
    stage: (folder, paths) => change(folder, (work) => changes.stagePaths(work, paths)),
    unstage: (folder, paths) => change(folder, (work) => changes.unstagePaths(work, paths)),
    commit: (folder, draft) => change(folder, (work) => changes.commitIndex(work, draft)),
    branch: (folder, wanted) =>
      change(folder, (work) => checkOutBranch(work, wanted, (commit) => changes.moveTo(work, commit))),
    discard: (folder, paths) => change(folder, (work) => changes.restoreFiles(work, paths)),
    push: (folder, { signal, tokenFor = null }) =>
      change(folder, (work) => changes.pushBranch(work, { ...settings, tokenFor }), {
        timeoutMs: PULL_TIMEOUT_MS,
        signal,
      }),
    canPush: (url) => hasToken(settings, url),
  };
}

async function checkOutBranch(
  { root, shadow, replaceFile }: ChangedClone,
  wanted: WantedBranch,
  moveTo: (commit: string) => Promise<number>,
): Promise<Switched> {
  await requireSettled(root);
  const target = await requireTarget(root, shadow, wanted);
  if (wanted.create && target !== undefined)
    await keepBranch(replaceFile, root, wanted.name, { from: undefined, to: target });
  const changedFiles = target === undefined ? 0 : await moveTo(target);
  await keepHead(replaceFile, root, wanted.name);
  return { branch: wanted.name, changedFiles };
}
