import { readingFormat } from '../../formats/all-formats.ts';
import type { IndexedFile } from '../schema.ts';

/** How a file at this path is read today, as its record keeps it. */
export function readingOf(path: string): Pick<IndexedFile, 'format' | 'formatVersion'> {
  const { name, version } = readingFormat(path);
  return { format: name, formatVersion: version };
}
