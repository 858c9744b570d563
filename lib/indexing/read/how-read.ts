import { readingFormat } from '../../formats/all-formats.ts';
import type { IndexedFile } from '../schema.ts';

/** Returns how a file at this path is currently read, as stored in its record. */
export function readingOf(path: string): Pick<IndexedFile, 'format' | 'formatVersion'> {
  const { name, version } = readingFormat(path);
  return { format: name, formatVersion: version };
}
