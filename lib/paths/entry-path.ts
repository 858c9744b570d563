/**
 * Returns a path relative to a root, whose own path is `''`. The names come from the file system, so they
 * aren't normalized.
 */
export function childOf(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

export function entryName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Returns a name or path in a form in which names are equal that a case-insensitive file system can't tell apart. */
export function foldPath(path: string): string {
  return path.normalize('NFC').toLowerCase().normalize('NFC');
}

/** Returns an entry's folder without the `/`; empty for an entry of the root. */
export function entryFolder(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

/** Returns an entry's folders, without the root; the nearest is the last. */
export function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

/**
 * Folders of third-party packages, with tens of thousands of files. They are omitted first if space is
 * limited.
 */
const PACKAGES = new Set(['node_modules', '.venv', 'venv', 'site-packages']);

export function isPackageFolder(path: string): boolean {
  return PACKAGES.has(entryName(path));
}
