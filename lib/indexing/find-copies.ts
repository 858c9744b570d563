import type { Records } from '../ports/records.ts';
import { filesPartition, indexedFiles } from './schema.ts';

/** Maximum files with the same bytes to read and to return. */
const MAX_SAME = 100;
const COPIES = 5;

/** A deleted file, with its last known bytes, and the period in which copies of it count. */
export interface GoneFile {
  path: string;
  hash: string;
  since: number;
  until?: number;
}

/**
 * Returns the paths of files with exactly these bytes that were read within a period. A file with the same
 * name comes first, because the deleted file was probably moved there. A copy that was already indexed, or
 * that appears much later, counts as another file.
 */
export async function findCopies(
  records: Records,
  workspaceId: string,
  { path, hash, since, until = Number.POSITIVE_INFINITY }: GoneFile,
): Promise<string[]> {
  const query = { partition: filesPartition(workspaceId), byIndex: true, sortPrefix: `${hash}#` };
  const { items } = await indexedFiles.list(records, { ...query, limit: MAX_SAME });
  const inTime = items.filter(({ readAt }) => readAt >= since && readAt <= until);
  const others = inTime.filter((item) => item.path !== path).map((item) => item.path);
  const isNamesake = (other: string) => nameOf(other) === nameOf(path);
  return [...others.filter(isNamesake), ...others.filter((other) => !isNamesake(other))].slice(0, COPIES);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
