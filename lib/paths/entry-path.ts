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

/** Third-party packages, by the ten thousand: where there isn't enough room, they are omitted first. */
const PACKAGES = new Set(['node_modules', '.venv', 'venv', 'site-packages']);

export function isPackageFolder(path: string): boolean {
  return PACKAGES.has(entryName(path));
}
