import { execFile } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { installOnce } from '../../support/install-once.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);

async function git(...args: string[]): Promise<string> {
  return (await run('git', ['-C', ROOT, ...args])).stdout.trim();
}

/** Returns the newest tag before this commit, or undefined if there is none. */
export async function lastTag(): Promise<string | undefined> {
  return git('describe', '--tags', '--abbrev=0', 'HEAD').catch(() => undefined);
}

/**
 * Returns the folder with a clone at a commit, including its packages. The clone stays in `.cache` for the
 * next run.
 */
export async function checkOut(commit: string): Promise<string> {
  const sha = await git('rev-parse', '--verify', `${commit}^{commit}`);
  return installOnce('beside', sha.slice(0, 12), async (folder) => {
    await run('git', ['clone', '--quiet', '--no-checkout', ROOT, folder]);
    await run('git', ['-C', folder, 'checkout', '--quiet', '--detach', sha]);
    await addPackages(folder, sha);
  });
}

/** The packages of this checkout also serve every commit with the same lock file. */
async function addPackages(folder: string, sha: string): Promise<void> {
  const isSame = await git('diff', '--quiet', sha, '--', 'package-lock.json').then(
    () => true,
    () => false,
  );
  if (isSame) await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  else await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder });
}

/** Builds the service of a checkout, so that no measured start includes the build. */
export async function build(checkout: string): Promise<void> {
  await run(process.execPath, ['infra/local/build.ts', '--quiet'], { cwd: checkout });
}
