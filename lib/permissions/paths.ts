import { posix } from 'node:path';
import { confine, isInside } from '../paths/confine.ts';

/**
 * Returns a path twice, as written and with its links resolved, both relative to the root; undefined if
 * either is outside. A path that doesn't exist yet is resolved to where it would be created.
 */
export async function realPathOf(
  rootPath: string,
  cwd: string,
  path: string,
): Promise<{ plain: string; real: string } | undefined> {
  const absolute = posix
    .normalize(path.startsWith('/') ? path : posix.join(rootPath, cwd, path))
    .replace(/(?<=.)\/$/, '');
  if (!isInside(rootPath, absolute)) return undefined;
  const plain = relativeTo(rootPath, absolute);
  try {
    return { plain, real: relativeTo(rootPath, await confine(rootPath, plain)) };
  } catch {
    return undefined;
  }
}

function relativeTo(rootPath: string, path: string): string {
  return path.slice(rootPath.length).replace(/^\//, '');
}
