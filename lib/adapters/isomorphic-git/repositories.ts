import { ServiceError, UpstreamFailed } from '../../errors.ts';
import { log } from '../../log.ts';
import { fileError } from '../../paths/file-errors.ts';
import {
  CLONE_TIMEOUT_MS,
  PULL_TIMEOUT_MS,
  type Repositories,
  STATUS_TIMEOUT_MS,
} from '../../ports/repositories.ts';
import { treeCounter, withinTime } from '../git/bounds.ts';
import { findRemote, type Remote } from '../git/remote.ts';
import { type RepositorySettings, type Shadow, withShadow } from '../git/shadow.ts';
import { repositoryWriters } from '../git/writers.ts';
import { commitIndex, pushBranch, restoreFiles, stagePaths, switchTo, unstagePaths } from './changes.ts';
import { confinedFs } from './confined-fs.ts';
import { remoteHttp } from './http.ts';
import { loadGit } from './load.ts';
import { pullInto } from './pull.ts';
import { diffOf, logOf } from './reading.ts';
import { statusOf } from './status.ts';
import { type CloneAt, countTree } from './trees.ts';

/** Repositories in JavaScript, for hosts without the git program. Repositories must fit in memory. */
export function isomorphicGitRepositories(settings: RepositorySettings): Repositories {
  return {
    clone: (url, folder, { signal } = {}) =>
      withinTime('cloned', CLONE_TIMEOUT_MS, signal, async (until) => {
        const remote = await findRemote(settings, url, until);
        await cloneInto(remote, folder, until).catch(unwrap);
        return remote.url;
      }),
    pull: (folder, { signal, tokenFor = null } = {}) =>
      withinTime('pulled', PULL_TIMEOUT_MS, signal, (until) =>
        withShadow(folder, (shadow) =>
          pullInto({ ...settings, tokenFor }, folder, shadow, until).catch(unwrap),
        ),
      ),
    status: (folder) =>
      withinTime('read', STATUS_TIMEOUT_MS, undefined, (until) =>
        withShadow(folder, (shadow) => statusOf(folder, shadow, until).catch(unwrap)),
      ),
    ...readers(),
    ...repositoryWriters(settings, {
      ...{ stagePaths, unstagePaths, commitIndex, restoreFiles, pushBranch, unwrap },
      moveTo: switchTo,
      open: (clone, signal) => ({ ...clone, signal, place: placeOf(clone.root, clone.shadow, signal) }),
    }),
  };
}

function readers(): Pick<Repositories, 'diff' | 'log'> {
  return {
    diff: (folder, asked) =>
      withinTime('compared', STATUS_TIMEOUT_MS, undefined, (until) =>
        withShadow(folder, (shadow) =>
          diffOf(placeOf(folder, shadow, until), shadow, folder, asked).catch(unwrap),
        ),
      ),
    log: (folder, range) =>
      withinTime('read', STATUS_TIMEOUT_MS, undefined, (until) =>
        withShadow(folder, async (shadow) =>
          shadow.commit === undefined ? [] : logOf(placeOf(folder, shadow, until), range).catch(unwrap),
        ),
      ),
  };
}

function placeOf(root: string, { gitdir }: Shadow, signal: AbortSignal): CloneAt {
  return { fs: confinedFs({ root, gitdir }, signal, treeCounter()), dir: root, gitdir, cache: {} };
}

/**
 * Maps the library's errors, which name paths and URLs that the caller must not see. A pack that is forged,
 * or deleted while it's read, causes a TypeError on null. That looks like a bug of ours, so it's logged as
 * one.
 */
function unwrap(error: unknown): never {
  const { name, code } = error as NodeJS.ErrnoException;
  const known = error instanceof ServiceError || ['AbortError', 'TimeoutError'].includes(name);
  if (known) throw error;
  if (code?.startsWith('E')) fileError(error);
  if (error instanceof TypeError) log.error('git failed', {}, error);
  else log.warn('git failed', { reason: code ?? name });
  throw new UpstreamFailed(
    'git_repository_unusable',
    "The repository sent data that git can't use, or the connection was cut. Try again.",
  );
}

/** Clones into an empty folder that only the service writes to. */
async function cloneInto(remote: Remote, folder: string, signal: AbortSignal): Promise<void> {
  const git = await loadGit();
  const fs = confinedFs({ root: folder, gitdir: `${folder}/.git` }, signal, treeCounter());
  const cache = {};
  const [dir, http] = [folder, remoteHttp(remote, signal)];
  const asked = { depth: 1, singleBranch: true, noTags: true, noCheckout: true };
  await git.clone({ fs, http, dir, cache, url: remote.url, ...asked });
  const branch = await git.currentBranch({ fs, dir });
  const commit = await git.resolveRef({ fs, dir, ref: 'HEAD' }).catch(() => undefined);
  if (commit === undefined || !branch) return; // an empty repository
  await countTree({ fs, dir, gitdir: `${dir}/.git`, cache }, commit);
  await git.checkout({ fs, dir, cache, ref: branch });
}
