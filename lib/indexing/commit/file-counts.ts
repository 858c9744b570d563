import type { Held } from '../../leases/hold.ts';
import { indexes, type SearchIndex } from '../../passages/search-space.ts';
import { ifExpected, type Records } from '../../ports/records.ts';
import { filesPartition, type IndexedFile, indexedFiles, stateOf } from '../schema.ts';

/** The numbers of files in the index: searchable files, files without text, and unreadable files. */
export type FileCounts = Required<Pick<SearchIndex, 'searchable' | 'textless' | 'failed'>>;

export const NO_FILES: FileCounts = { searchable: 0, textless: 0, failed: 0 };
const COUNTED_AS = { indexed: 'searchable', skipped: 'textless', failed: 'failed' } as const;

/**
 * Returns the stored counts. Undefined if they are unknown, or if a later commit may not have counted its
 * files.
 */
export function storedCounts(index: SearchIndex): FileCounts | undefined {
  const { searchable, textless, failed, counted = 0, commits = 0 } = index;
  if (searchable === undefined || textless === undefined || failed === undefined) return undefined;
  return counted === commits ? { searchable, textless, failed } : undefined;
}

/**
 * Returns the counts to which a commit can add. Undefined if the previous commit may have stored files
 * without counting them.
 */
export function reliableCounts(index: SearchIndex | undefined): FileCounts | undefined {
  return index === undefined || index.counting !== undefined ? undefined : storedCounts(index);
}

/** Returns the changes of the counts by a commit, and whether the state of any file changes. */
export function countChanges(
  known: Map<string, IndexedFile>,
  { files, removed }: { files: IndexedFile[]; removed: string[] },
): { gains: FileCounts; isMoved: boolean } {
  const after = new Map<string, IndexedFile | undefined>(files.map((file) => [file.path, file]));
  for (const path of removed) after.set(path, undefined);
  const gains = { ...NO_FILES };
  let isMoved = false;
  for (const [path, file] of after) {
    const before = known.get(path);
    const [from, to] = [before && COUNTED_AS[stateOf(before)], file && COUNTED_AS[stateOf(file)]];
    if (from === to) continue;
    isMoved = true;
    if (from !== undefined) gains[from]--;
    if (to !== undefined) gains[to]++;
  }
  return { gains, isMoved };
}

/** Marks that counts are unreliable until the commit with this name has added its own. */
export async function beginCounting(records: Records, workspaceId: string, name: string): Promise<void> {
  await indexes.update(records, { workspaceId }, { set: { counting: name } });
}

/**
 * Adds the changes of a commit to the counts, together with its other figures. Returns undefined and adds
 * nothing if a writer that was paused past its lease may have stored files in the meantime.
 */
export function addFileCounts(
  records: Records,
  workspaceId: string,
  others: Record<string, number>,
  { gains, counting }: { gains: FileCounts; counting: string | undefined },
): Promise<SearchIndex | undefined> {
  const change = { add: { ...others, ...gains, counted: 1 }, remove: ['counting'] };
  return ifExpected(indexes.update(records, { workspaceId }, change, { counting }));
}

/** Counts all files of the index between commits, for the holder of the tables' lease, and stores the result. */
export async function countAgain(
  { records, held }: { records: Records; held: Pick<Held, 'requireHeld'> },
  workspaceId: string,
): Promise<void> {
  const { commits = 0, counting } = (await indexes.get(records, { workspaceId })) ?? {};
  const counts = { ...NO_FILES };
  for await (const file of indexedFiles.all(records, { partition: filesPartition(workspaceId) }))
    counts[COUNTED_AS[stateOf(file)]]++;
  held.requireHeld();
  const change = { set: { ...counts, counted: commits }, remove: ['counting'] };
  await ifExpected(indexes.update(records, { workspaceId }, change, { counting }));
}

/** The maximum number of files to read if the counts are unknown. */
const MAX_READ = 1000;

/** Counts the files of a small index; undefined for a large one. */
export async function countFew(records: Records, workspaceId: string): Promise<FileCounts | undefined> {
  const query = { partition: filesPartition(workspaceId), limit: MAX_READ };
  const { items, cursor } = await indexedFiles.list(records, query);
  if (cursor !== undefined) return undefined;
  const counts = { ...NO_FILES };
  for (const file of items) counts[COUNTED_AS[stateOf(file)]]++;
  return counts;
}
