/**
 * Returns the path of a folder that a person names inside a root. A full path, or one from `~`, stays unchanged, and
 * the service decides on it.
 */
export function pathInRoot(root: string | undefined, folder: string): string {
  const path = folder.trim();
  return root === undefined || /^[/~]/.test(path) ? path : `${root}/${path}`;
}
