import type { Stats } from 'node:fs';

/** Returns a version that changes with every write, by any writer. This service renames a new file over the old one. */
export function versionOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
}
