import { createHash } from 'node:crypto';
import { newId } from '../../identifiers.ts';
import type { Records } from '../../ports/records.ts';
import { isRecordable, skippedFiles, skippedLists, skippedPartition } from '../schema.ts';
import { knownBelow } from './known-below.ts';
import type { SkippedFile } from './odd-entries.ts';
import { isBelowAny, type Walk } from './walk.ts';

/** The maximum number of listed files per workspace, the first by path. The count includes all of them. */
const MAX_KEPT = 100_000;

/**
 * Updates the records of skipped files below a path after a walk of it. A digest identifies the whole list,
 * so a sync that finds the same list reads no records. The digest is valid only if no other walk wrote at the
 * same time as the walk that stored it. After two concurrent walks, the next full walk compares with the
 * records themselves.
 */
export async function keepSkipped(
  records: Records,
  workspaceId: string,
  path: string,
  { skipped, unreadable }: Pick<Walk, 'skipped' | 'unreadable'>,
): Promise<void> {
  const kept = firstByPath(skipped.filter((file) => isRecordable(file.path)));
  if (path !== '') return compareBelow(records, workspaceId, path, { kept, unreadable });
  const digest = digestOf(kept, unreadable);
  const before = await skippedLists.get(records, { workspaceId });
  if (before?.digest === digest && before.count !== undefined) return;
  const stamp = newId();
  await skippedLists.put(records, { workspaceId, stamp, digest: null });
  await write(records, workspaceId, await difference(records, workspaceId, '', { kept, unreadable }));
  const alone = await skippedLists.put(
    records,
    { workspaceId, stamp, digest, count: kept.length },
    { stamp },
  );
  if (!alone) await skippedLists.delete(records, { workspaceId });
}

type Kept = Omit<SkippedFile, 'reason'> & { reason: string };

interface Found {
  kept: SkippedFile[];
  unreadable: string[];
}

/**
 * The digest is removed both before and after, because a full walk that started in between may have read the
 * old records.
 */
async function compareBelow(records: Records, workspaceId: string, path: string, found: Found) {
  const changes = await difference(records, workspaceId, path, found);
  if (changes.changed.length + changes.gone.length === 0) return;
  await skippedLists.delete(records, { workspaceId });
  await write(records, workspaceId, changes);
  await skippedLists.delete(records, { workspaceId });
}

async function difference(records: Records, workspaceId: string, path: string, { kept, unreadable }: Found) {
  const known = new Map<string, Kept>();
  const partition = skippedPartition(workspaceId);
  for await (const file of knownBelow(records, skippedFiles, { workspaceId, path, partition }))
    known.set(file.path, file);
  const paths = new Set(kept.map((file) => file.path));
  const changed = kept.filter((file) => !isSame(file, known.get(file.path)));
  const gone = [...known.keys()].filter((each) => !paths.has(each) && !isBelowAny(each, unreadable));
  return { changed, gone };
}

async function write(
  records: Records,
  workspaceId: string,
  { changed, gone }: { changed: SkippedFile[]; gone: string[] },
): Promise<void> {
  await skippedFiles.putMany(
    records,
    changed.map((file) => ({ workspaceId, ...file })),
  );
  await skippedFiles.deleteMany(
    records,
    gone.map((path) => ({ workspaceId, path })),
  );
}

/**
 * Sorts the paths and removes duplicates: names that aren't UTF-8 all read the same, and a store may refuse
 * to write one record twice.
 */
function firstByPath(files: SkippedFile[]): SkippedFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1)).slice(0, MAX_KEPT);
}

function digestOf(kept: SkippedFile[], unreadable: string[]): string {
  const lines = kept.map(({ path, size, reason, folder }) => `${size} ${reason} ${folder} ${path}\0`);
  return createHash('sha256')
    .update(lines.join(''))
    .update(JSON.stringify(unreadable.toSorted()))
    .digest('hex');
}

function isSame({ size, reason, folder }: SkippedFile, known: Kept | undefined): boolean {
  return known?.size === size && known.reason === reason && known.folder === folder;
}
