export interface Entry {
  name: string;
  path: string;
  type: 'file' | 'directory';
  size: number;
  modifiedAt: string;
}

export interface TreeRow {
  entry: Entry;
  depth: number;
  isOpen: boolean;
  /** The row's position among the entries of its folder, from 1. */
  position: number;
  siblings: number;
}

/** Returns the rows of a tree from top to bottom: the loaded contents of open folders. */
export function treeRows(
  listed: ReadonlyMap<string, readonly Entry[]>,
  open: ReadonlySet<string>,
  folder = '',
  depth = 0,
): TreeRow[] {
  const entries = listed.get(folder) ?? [];
  return entries.flatMap((entry, place) => {
    const isOpen = entry.type === 'directory' && open.has(entry.path);
    const row = { entry, depth, isOpen, position: place + 1, siblings: entries.length };
    return isOpen ? [row, ...treeRows(listed, open, entry.path, depth + 1)] : [row];
  });
}

/** Returns the folders above a path, which must be open for it to be visible. */
export function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, place) => parts.slice(0, place + 1).join('/'));
}
