import type { Stats } from 'node:fs';

/** Changes with every write, by any writer: this service renames a new file over the old. */
export function versionOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
}
