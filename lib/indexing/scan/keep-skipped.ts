import type { Records } from '../../ports/records.ts';
import { isRecordable, skippedFiles, skippedPartition } from '../schema.ts';
import { isBelowAny, type SkippedFile, type Walk } from './walk.ts';

/** Of more than these a workspace's list holds the first by path; all are counted. */
const MAX_KEPT = 100_000;

/**
 * Brings the records of what is left out below a path up to date with a walk of it. Two at once may leave a record that is a
 * moment old; the next walk finds it, for it compares with the records themselves.
 */
export async function keepSkipped(
  records: Records,
  workspaceId: string,
  path: string,
  { skipped, unreadable }: Pick<Walk, 'skipped' | 'unreadable'>,
): Promise<void> {
  const known = await knownBelow(records, workspaceId, path);
  const recordable = skipped.filter((file) => isRecordable(file.path));
  const kept = recordable.length <= MAX_KEPT ? recordable : firstByPath(recordable);
  const paths = new Set(kept.map((file) => file.path));
  const changed = kept.filter((file) => !isSame(file, known.get(file.path)));
  const gone = [...known.keys()].filter((each) => !paths.has(each) && !isBelowAny(each, unreadable));
  await skippedFiles.putMany(
    records,
    changed.map((file) => ({ workspaceId, ...file })),
  );
  await skippedFiles.deleteMany(
    records,
    gone.map((each) => ({ workspaceId, path: each })),
  );
}

function firstByPath(files: SkippedFile[]): SkippedFile[] {
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1)).slice(0, MAX_KEPT);
}

type Kept = Omit<SkippedFile, 'reason'> & { reason: string };

async function knownBelow(records: Records, workspaceId: string, path: string): Promise<Map<string, Kept>> {
  const known = new Map<string, Kept>();
  if (path !== '' && !isRecordable(path)) return known;
  const own = path === '' ? undefined : await skippedFiles.get(records, { workspaceId, path });
  if (own !== undefined) known.set(path, own);
  const sortPrefix = path === '' ? undefined : `${path}/`;
  const query = { partition: skippedPartition(workspaceId), sortPrefix, limit: 1000 };
  for await (const file of skippedFiles.all(records, query)) known.set(file.path, file);
  return known;
}

function isSame({ size, reason, folder }: SkippedFile, known: Kept | undefined): boolean {
  return known?.size === size && known.reason === reason && known.folder === folder;
}
