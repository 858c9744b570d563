import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Runs the tests of one folder, which the default configuration excludes, with these variables and options in
 * addition to the lane's own arguments. Returns Jest's exit code; Jest ends with this process.
 */
export function runJest(
  folder: string,
  variables: Record<string, string | undefined>,
  options: string[],
): Promise<number> {
  // Joined with `=`, because Jest treats arguments after an option with a list as part of that list.
  return spawnJest(variables, [`--roots=${folder}`, '--testPathIgnorePatterns=/node_modules/', ...options]);
}

/** Does the same with the folders and suites of the default configuration. */
export async function spawnJest(
  variables: Record<string, string | undefined>,
  options: string[],
): Promise<number> {
  const args = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    ...process.argv.slice(2),
    ...options,
  ];
  const env = { ...process.env, ...variables };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' });
  process.once('exit', () => child.kill());
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
