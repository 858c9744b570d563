import { isPathHere } from '../../lib/api-contract/pasted.ts';

/**
 * Returns the path of a folder in a root. A full path, or one in another notation such as `~`, is returned
 * unchanged, and the service decides about it.
 */
export function pathInRoot(root: string | undefined, folder: string): string {
  const path = folder.trim();
  return root === undefined || path.startsWith('/') || !isPathHere(path) ? path : `${root}/${path}`;
}
