import { dirname } from 'node:path';

/** A folder, the one that it lies in, and so on up to the root. */
export function foldersAbove(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)];
}
