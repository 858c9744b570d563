import type { Stats } from 'node:fs';

/**
 * Returns a version that changes with every write, by any writer. This service replaces a file by renaming a
 * new one.
 */
export function versionOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
}
