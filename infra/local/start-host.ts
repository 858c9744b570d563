import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { killProcess } from '../../lib/kill-process.ts';
import { readStartOptions } from './start-flags.ts';

/**
 * Loads `.env` of the current folder if it exists (the real environment wins), then runs the host of the build that
 * `findBuild` returns. `root` is the folder of the package.
 */
export async function startHost(
  root: string,
  findBuild: (options: { quiet: boolean }) => Promise<string>,
): Promise<void> {
  const values = readOptionsOrExit();
  // The parent may end before this host serves it (embedded.ts); nothing else would ever stop the host.
  if (values.embedded) process.once('disconnect', killProcess);
  // npm names the script that it runs; without npm, the parent isn't watched.
  const npm = process.env.npm_lifecycle_event === 'start' ? process.ppid : undefined;
  if (existsSync('.env')) process.loadEnvFile('.env');
  if (values.dynamodb !== undefined) process.env.AWS_ENDPOINT_URL_DYNAMODB = values.dynamodb;
  const built = await findBuild({ quiet: values.embedded === true });
  const host = (await import(join(built, 'infra/local/host.mjs'))) as typeof import('./host.ts');
  await host.run(root, { ...values, npm });
}

function readOptionsOrExit() {
  try {
    return readStartOptions(process.argv.slice(2));
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
