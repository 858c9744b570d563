import { UpstreamFailed } from '../../errors.ts';
import { log } from '../../log.ts';
import {
  CLONE_TIMEOUT_MS,
  PULL_TIMEOUT_MS,
  type Repositories,
  STATUS_TIMEOUT_MS,
} from '../../ports/repositories.ts';
import { withinTime } from '../git/bounds.ts';
import { findRemote } from '../git/remote.ts';
import { listBranches, type RepositorySettings, type Shadow, withShadow } from '../git/shadow.ts';
import { readStatusOutput } from '../git/status-output.ts';
import { repositoryWriters } from '../git/writers.ts';
import { type CloneWork, commitIndex, restoreFiles, stagePaths, switchTo, unstagePaths } from './changes.ts';
import { cloneInto } from './clone.ts';
import { GitFailed, type GitPlace, type GitProgram, gitProgram } from './program.ts';
import { pullInto } from './pull.ts';
import { pushBranch } from './push.ts';
import { diffOf, logOf, statusText } from './reading.ts';

/** Repositories that the git program manages. */
export function gitRepositories(settings: RepositorySettings & { git: GitPlace }): Repositories {
  const git = gitProgram(settings.git);
  return {
    clone: (url, folder, { signal } = {}) =>
      withinTime('cloned', CLONE_TIMEOUT_MS, signal, async (until) => {
        const remote = await findRemote(settings, url, until);
        await cloneInto(git, remote, folder, until).catch(unwrap);
        return remote.url;
      }),
    pull: (folder, { signal, tokenFor = null } = {}) =>
      withinTime('pulled', PULL_TIMEOUT_MS, signal, (until) =>
        withShadow(folder, (shadow) =>
          pullInto(git, { ...settings, tokenFor }, folder, shadow, until).catch(unwrap),
        ),
      ),
    status: (folder) =>
      withinTime('read', STATUS_TIMEOUT_MS, undefined, (until) =>
        withShadow(folder, (shadow) => statusOf(git, folder, shadow, until).catch(unwrap)),
      ),
    ...readers(git),
    ...repositoryWriters(settings, {
      ...{ stagePaths, unstagePaths, commitIndex, restoreFiles, pushBranch, unwrap },
      moveTo: switchTo,
      open: (clone, until) => ({ ...clone, git, call: callIn(clone.root, clone.shadow, until) }),
    }),
  };
}

function readers(git: GitProgram): Pick<Repositories, 'diff' | 'log'> {
  return {
    diff: (folder, asked) =>
      withinTime('compared', STATUS_TIMEOUT_MS, undefined, (until) =>
        withShadow(folder, (shadow) =>
          diffOf(git, callIn(folder, shadow, until), folder, asked).catch(unwrap),
        ),
      ),
    log: (folder, range) =>
      withinTime('read', STATUS_TIMEOUT_MS, undefined, (until) =>
        withShadow(folder, async (shadow) =>
          shadow.commit === undefined ? [] : logOf(git, callIn(folder, shadow, until), range).catch(unwrap),
        ),
      ),
  };
}

function unwrap(error: unknown): never {
  if (!(error instanceof GitFailed)) throw error;
  log.warn('git failed', { reason: error.message });
  throw new UpstreamFailed(
    'git_repository_unusable',
    "The repository sent data that git can't use, or the connection was cut. Try again.",
  );
}

async function statusOf(git: GitProgram, root: string, shadow: Shadow, signal: AbortSignal) {
  const text = await statusText(git, callIn(root, shadow, signal));
  return { branch: shadow.branch, branches: await listBranches(root, shadow), ...readStatusOutput(text) };
}

function callIn(root: string, { gitdir }: Shadow, signal: AbortSignal): CloneWork['call'] {
  return {
    folders: [root, gitdir],
    places: { GIT_DIR: gitdir, GIT_WORK_TREE: root },
    settings: [],
    signal,
  };
}
