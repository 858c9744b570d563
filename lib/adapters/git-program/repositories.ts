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
import { type RepositorySettings, type Shadow, withShadow } from '../git/shadow.ts';
import { readStatusOutput } from '../git/status-output.ts';
import { cloneInto } from './clone.ts';
import { GitFailed, type GitPlace, type GitProgram, gitProgram, output } from './program.ts';
import { pullInto } from './pull.ts';

/** Repositories, implemented with the git program. */
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
  const text = await output(git, {
    args: [
      'status',
      '--porcelain=v2',
      '--branch',
      '-z',
      '--untracked-files=all',
      '--ignore-submodules=all',
      '--no-renames',
    ],
    folders: [root, shadow.gitdir],
    places: { GIT_DIR: shadow.gitdir, GIT_WORK_TREE: root },
    settings: [],
    signal,
  });
  return { branch: shadow.branch, ...readStatusOutput(text) };
}
