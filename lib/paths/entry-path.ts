/** Paths relative to a root, which is `''`, with the names that the file system gave: nothing in them needs to be normalized. */
export function childOf(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

export function entryName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Without the `/`; empty for an entry of the root. */
export function entryFolder(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

/** The folders that an entry is in, without the root; the nearest is the last. */
export function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

/** Third-party packages, tens of thousands of files: if space is limited, they are omitted first. */
const PACKAGES = new Set(['node_modules', '.venv', 'venv', 'site-packages']);

export function isPackageFolder(path: string): boolean {
  return PACKAGES.has(entryName(path));
}
