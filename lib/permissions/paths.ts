import { posix } from 'node:path';
import { confine, isInside } from '../paths/confine.ts';

/**
 * A path as it is written and as the links on its way have it, both relative to the root; undefined for one that is, or
 * leads, outside. What does not exist yet counts where it would be made.
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
