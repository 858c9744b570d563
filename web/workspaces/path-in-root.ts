import { isPathHere } from '../../lib/api-contract/pasted.ts';

/**
 * Returns the path of a folder that a person names inside a root. A full path, or one of another notation such as `~`,
 * stays unchanged, and the service decides on it.
 */
export function pathInRoot(root: string | undefined, folder: string): string {
  const path = folder.trim();
  return root === undefined || path.startsWith('/') || !isPathHere(path) ? path : `${root}/${path}`;
}
