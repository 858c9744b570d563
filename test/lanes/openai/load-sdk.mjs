import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Loads a package from the folder in which the lane installed it. */
export async function loadSdk(name) {
  const { resolve } = createRequire(join(process.env.SDK_FOLDER, 'package.json'));
  return import(pathToFileURL(resolve(name)).href);
}
