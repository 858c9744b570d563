import type { RepositorySettings } from '../adapters/git/shadow.ts';
import { runIsolated } from '../isolation/run-isolated.ts';
import { CLONE_TIMEOUT_MS, PULL_TIMEOUT_MS, type Repositories } from '../ports/repositories.ts';
import type { PlainSettings } from './javascript-git-program.ts';

/** After its own time, which it tells more of. */
const GRACE_MS = 5_000;
const STATUS_TIMEOUT_MS = 60_000;

/** Repositories without the git program, in a process that has no more of the service than the settings of git. */
export function javascriptGit({ token, ...settings }: RepositorySettings): Repositories {
  const { codeHost, allowPrivate, proxy } = settings;
  const plain = async (): Promise<PlainSettings> => ({ codeHost, allowPrivate, proxy, token: await token() });
  const load = async () => (await import('./javascript-git-program.ts')).program;
  return {
    async clone(url, folder, { signal } = {}) {
      const input = { settings: await plain(), url, folder };
      return runIsolated(await load(), 'clone', input, { timeoutMs: CLONE_TIMEOUT_MS + GRACE_MS, signal });
    },
    async pull(folder, { signal, tokenFor } = {}) {
      const input = { settings: await plain(), folder, tokenFor };
      return runIsolated(await load(), 'pull', input, { timeoutMs: PULL_TIMEOUT_MS + GRACE_MS, signal });
    },
    async status(folder) {
      const settings = { ...(await plain()), token: undefined };
      return runIsolated(
        await load(),
        'status',
        { settings, folder },
        { timeoutMs: STATUS_TIMEOUT_MS + GRACE_MS },
      );
    },
  };
}
