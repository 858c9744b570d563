import { hasToken } from '../adapters/git/remote.ts';
import type { RepositorySettings } from '../adapters/git/shadow.ts';
import type { FoundGit } from '../adapters/git-program/find-git.ts';
import type { GitSandboxes } from '../adapters/git-program/program.ts';
import type { Config } from '../config.ts';
import { writeWhole } from '../files/write.ts';
import { runIsolated } from '../isolation/run-isolated.ts';
import { log } from '../log.ts';
import {
  CLONE_TIMEOUT_MS,
  PULL_TIMEOUT_MS,
  type Repositories,
  STATUS_TIMEOUT_MS,
} from '../ports/repositories.ts';
import type { Secrets } from '../ports/secrets.ts';
import { describeSandbox } from './commands.ts';

/**
 * Opens Git repositories: with the git program if available (Lambda's own runtime has none), otherwise in JavaScript.
 */
export async function openRepositories(config: Config, secrets: Secrets): Promise<Repositories> {
  const { codeHost, proxy } = config;
  const settings: RepositorySettings = {
    codeHost: codeHost.host,
    token: async () => codeHost.token ?? (await secrets.get('CODE_HOST_TOKEN')),
    allowPrivate: codeHost.allowPrivate,
    proxy,
    replaceFile: writeWhole,
  };
  const { git, reason } = await describeGit(config);
  if (git !== undefined) {
    const { gitRepositories } = await import('../adapters/git-program/repositories.ts');
    return gitRepositories({ ...settings, git });
  }
  log.info('git works in JavaScript', { reason });
  return javascriptGit(settings);
}

/**
 * Returns the git program, or why there is none. If commands run in a separate function, git has no sandbox.
 */
export async function describeGit(config: Config): Promise<FoundGit> {
  if (config.commands.functionName !== undefined) return { reason: 'commands run in a separate function' };
  const { findGit } = await import('../adapters/git-program/find-git.ts');
  return findGit(config.searchPath, () => openSandboxes(config));
}

/**
 * Returns the sandboxes for git. Undefined if no sandbox isolates commands by mounts, because git could then
 * reach whatever commands can.
 */
async function openSandboxes(config: Config): Promise<GitSandboxes | undefined> {
  const { isMounted } = await import('../adapters/process/commands.ts');
  const [alone, connected] = await Promise.all(
    (['none', 'host'] as const).map(async (network) => (await describeSandbox(config, network)).sandbox),
  );
  if (connected === undefined || !isMounted(connected)) return undefined;
  return { alone: alone && isMounted(alone) ? alone : connected, connected };
}

/**
 * Milliseconds beyond the program's own limit. The program's message is more specific, so it should come
 * first.
 */
const GRACE_MS = 5_000;

/** Opens repositories without the git program, in a process that gets only the service's git settings. */
function javascriptGit(settings: RepositorySettings): Repositories {
  const { token, codeHost, allowPrivate, proxy } = settings;
  const plain = { codeHost, allowPrivate, proxy };
  const load = async () => (await import('./javascript-git-program.ts')).program;
  const alone = { settings: { ...plain, token: undefined } };
  const limit = { timeoutMs: STATUS_TIMEOUT_MS + GRACE_MS };
  return {
    async clone(url, folder, { signal } = {}) {
      const input = { settings: { ...plain, token: await token() }, url, folder };
      return runIsolated(await load(), 'clone', input, { timeoutMs: CLONE_TIMEOUT_MS + GRACE_MS, signal });
    },
    async pull(folder, { signal, tokenFor } = {}) {
      const input = { settings: { ...plain, token: tokenFor && (await token()) }, folder, tokenFor };
      return runIsolated(await load(), 'pull', input, { timeoutMs: PULL_TIMEOUT_MS + GRACE_MS, signal });
    },
    async push(folder, { signal, tokenFor }) {
      const input = { settings: { ...plain, token: tokenFor && (await token()) }, folder, tokenFor };
      return runIsolated(await load(), 'push', input, { timeoutMs: PULL_TIMEOUT_MS + GRACE_MS, signal });
    },
    status: async (folder) => runIsolated(await load(), 'status', { ...alone, folder }, limit),
    diff: async (folder, asked) => runIsolated(await load(), 'diff', { ...alone, folder, ...asked }, limit),
    log: async (folder, range) => runIsolated(await load(), 'log', { ...alone, folder, ...range }, limit),
    stage: async (folder, paths) => runIsolated(await load(), 'stage', { ...alone, folder, paths }, limit),
    unstage: async (folder, paths) =>
      runIsolated(await load(), 'unstage', { ...alone, folder, paths }, limit),
    discard: async (folder, paths) =>
      runIsolated(await load(), 'discard', { ...alone, folder, paths }, limit),
    commit: async (folder, draft) =>
      runIsolated(await load(), 'commit', { ...alone, folder, ...draft }, limit),
    branch: async (folder, wanted) =>
      runIsolated(await load(), 'branch', { ...alone, folder, ...wanted }, limit),
    canPush: async (url) => hasToken(settings, url),
  };
}
