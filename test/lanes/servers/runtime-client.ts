import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { installOnce } from '../../support/install-once.ts';
import { runCommand } from './install.ts';

const VERSION = '4.0.2';
const PACKAGE = 'node_modules/aws-lambda-ric';
const COMPILERS = ['cmake', 'make', 'c++'];

/**
 * Installs AWS's own Node runtime client, as it runs in Lambda; returns its program. It's compiled at its
 * first use (a minute).
 */
export async function installRuntimeClient(): Promise<string> {
  const folder = await installOnce('aws-lambda-ric', VERSION, compile);
  return join(folder, PACKAGE, 'index.mjs');
}

async function compile(folder: string): Promise<void> {
  await requireCompilers();
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const options = ['--no-audit', '--no-fund', '--fetch-retries=5', '--ignore-scripts=false'];
  // It runs for a minute, so optimizing would take longer than it saves.
  const flags = { MAKEFLAGS: `-j${availableParallelism()}`, CFLAGS: '-O0', CXXFLAGS: '-O0' };
  const env = { ...process.env, ...flags };
  await runCommand('npm', ['install', ...options, `aws-lambda-ric@${VERSION}`], { cwd: folder, env });
  // An npm that doesn't run install scripts leaves the package without its native part, and succeeds.
  if (!existsSync(join(folder, PACKAGE, 'rapid-client.node'))) {
    throw new Error('aws-lambda-ric was installed but not compiled: does npm run install scripts here?');
  }
}

async function requireCompilers(): Promise<void> {
  for (const name of COMPILERS) {
    await runCommand(name, ['--version']).catch(() => {
      throw new Error(
        `this lane compiles AWS's runtime client and needs ${name}: apt install cmake make g++`,
      );
    });
  }
}
