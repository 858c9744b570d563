import type { RepositorySettings } from '../adapters/git/shadow.ts';
import { runIsolated } from '../isolation/run-isolated.ts';
import {
  CLONE_TIMEOUT_MS,
  PULL_TIMEOUT_MS,
  type Repositories,
  STATUS_TIMEOUT_MS,
} from '../ports/repositories.ts';

/** Time beyond the program's own limit, whose message is more specific. */
const GRACE_MS = 5_000;

/** Opens repositories without the git program, in a process that knows nothing of the service but the git settings. */
export function javascriptGit({ token, codeHost, allowPrivate, proxy }: RepositorySettings): Repositories {
  const plain = { codeHost, allowPrivate, proxy };
  const load = async () => (await import('./javascript-git-program.ts')).program;
  return {
    async clone(url, folder, { signal } = {}) {
      const input = { settings: { ...plain, token: await token() }, url, folder };
      return runIsolated(await load(), 'clone', input, { timeoutMs: CLONE_TIMEOUT_MS + GRACE_MS, signal });
    },
    async pull(folder, { signal, tokenFor } = {}) {
      const input = { settings: { ...plain, token: tokenFor && (await token()) }, folder, tokenFor };
      return runIsolated(await load(), 'pull', input, { timeoutMs: PULL_TIMEOUT_MS + GRACE_MS, signal });
    },
    async status(folder) {
      const input = { settings: { ...plain, token: undefined }, folder };
      return runIsolated(await load(), 'status', input, { timeoutMs: STATUS_TIMEOUT_MS + GRACE_MS });
    },
  };
}
