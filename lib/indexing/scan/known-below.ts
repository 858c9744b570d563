import type { Records } from '../../ports/records.ts';
import type { Collection } from '../../records/collection.ts';
import { isRecordable } from '../schema.ts';

/**
 * Yields the entries at and below a path, from a collection of a workspace's files that is sorted by path.
 */
export async function* knownBelow<File>(
  records: Records,
  files: Collection<File, { workspaceId: string; path: string }>,
  { workspaceId, path, partition }: { workspaceId: string; path: string; partition: string },
): AsyncGenerator<File> {
  if (path !== '' && !isRecordable(path)) return;
  const own = path === '' ? undefined : await files.get(records, { workspaceId, path });
  if (own !== undefined) yield own;
  yield* files.all(records, { partition, sortPrefix: path === '' ? undefined : `${path}/`, limit: 1000 });
}
