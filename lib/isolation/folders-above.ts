import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns a folder, its parent, and so on up to the root. */
export function foldersAbove(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)];
}

/**
 * Returns a file or folder of this package, for code in the folder `from`. `paths` are its paths below the repository or
 * below the build that the code is part of; the first that exists counts. Undefined on Lambda, which has only functions.
 */
export function findOwnFile(from: string, ...paths: string[]): string | undefined {
  for (const folder of foldersAbove(from)) {
    const found = paths.map((path) => join(folder, path)).find((path) => existsSync(path));
    if (found !== undefined) return found;
  }
  return undefined;
}
