import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { moveIntoPlace } from '../../infra/move-into-place.ts';
import { retry } from '../../lib/async/retry.ts';
import { isProcessAlive } from '../../lib/isolation/is-process-alive.ts';

const CACHE = resolve(import.meta.dirname, '../../.cache');
const MAX_TRIES = 3;

/**
 * Returns the folder `.cache/<name>-<version>`, filled by `install` at its first use. It is filled under another name and
 * renamed when complete, so a killed install never looks finished; nothing inside may depend on its own path.
 */
export async function installOnce(
  name: string,
  version: string,
  install: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(CACHE, `${name}-${version}`);
  if (existsSync(folder)) return folder;
  const started = performance.now();
  console.error(`Installing ${name} ${version} into .cache (once)`);
  await removeAbandoned(folder);
  const partial = `${folder}.partial-${process.pid}`;
  const fill = async () => {
    await rm(partial, { recursive: true, force: true });
    await mkdir(partial, { recursive: true });
    await install(partial);
  };
  await retry(fill, {
    maxTries: MAX_TRIES,
    waitAfter(error, tries) {
      console.error(`Attempt ${tries} failed, trying again: ${String(error).slice(0, 300)}`);
      return 0;
    },
  });
  moveIntoPlace(partial, folder);
  console.error(`Installed ${name} in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  return folder;
}

/** Removes the files that killed installs left behind. */
async function removeAbandoned(folder: string): Promise<void> {
  const partials = (await readdir(CACHE).catch(() => [])).map((name) => join(CACHE, name));
  for (const partial of partials.filter((path) => path.startsWith(`${folder}.partial-`))) {
    if (!isProcessAlive(Number(partial.split('-').at(-1))))
      await rm(partial, { recursive: true, force: true });
  }
}
