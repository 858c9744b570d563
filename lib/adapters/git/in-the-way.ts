import { lstat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Returns the entry that prevents writing a file: one at its path, or a parent that isn't a folder. Undefined
 * if nothing does.
 */
export async function findInTheWay(
  root: string,
  path: string,
): Promise<{ path: string; isFolder: boolean } | undefined> {
  const parts = path.split('/');
  for (const length of parts.keys()) {
    const part = parts.slice(0, length + 1).join('/');
    const found = await lstat(join(root, part)).catch(() => undefined);
    if (found === undefined) return undefined;
    if (!found.isDirectory() || part === path) return { path: part, isFolder: found.isDirectory() };
  }
  return undefined;
}
