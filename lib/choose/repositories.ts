import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { RepositorySettings } from '../adapters/git/shadow.ts';
import type { Config } from '../config.ts';
import { writeWhole } from '../files/write.ts';
import type { Repositories } from '../ports/repositories.ts';
import type { Secrets } from '../ports/secrets.ts';

/** Git repositories: by the git program where there is one (Lambda's own runtime has none), else in JavaScript. */
export async function openRepositories(config: Config, secrets: Secrets): Promise<Repositories> {
  const { codeHost, proxy, searchPath } = config;
  const settings: RepositorySettings = {
    codeHost: codeHost.host,
    token: async () => codeHost.token ?? (await secrets.get('CODE_HOST_TOKEN')),
    allowPrivate: codeHost.allowPrivate,
    proxy,
    replaceFile: writeWhole,
  };
  if (await hasGit(searchPath)) {
    const { gitRepositories } = await import('../adapters/git-program/repositories.ts');
    return gitRepositories({ ...settings, searchPath });
  }
  const { isomorphicGitRepositories } = await import('../adapters/isomorphic-git/repositories.ts');
  return isomorphicGitRepositories(settings);
}

async function hasGit(searchPath: string): Promise<boolean> {
  try {
    await promisify(execFile)('git', ['--version'], { env: { PATH: searchPath }, timeout: 5000 });
    return true;
  } catch {
    return false;
  }
}
