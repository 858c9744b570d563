import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { forEachConcurrent } from '../../async/for-each-concurrent.ts';
import { readingFormat } from '../../formats/all-formats.ts';
import { extractKeys, extractsPrefix, hashOfExtract } from '../../formats/extract-key.ts';
import { duePages } from '../../leases/due.ts';
import type { Held } from '../../leases/hold.ts';
import { expiryAfter, timestamp, timestampSchema } from '../../ports/clock.ts';
import type { Objects } from '../../ports/objects.ts';
import type { Records } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { KEEP_VERSIONS_MS } from '../../ports/vectors.ts';
import { collection } from '../../records/collection.ts';
import { pagesOf } from '../../records/page.ts';
import type { FileResult } from '../messages.ts';
import { filesPartition, type IndexedFile, indexedFiles, readKnownFiles } from '../schema.ts';

/**
 * A file version that, according to the commits, no file of the workspace has any longer. At first, its
 * extract waits for removal. Afterwards, the record keeps the time of removal for longer than any message can
 * be late, because a worker that read that version earlier relies on the deleted text.
 */
export const staleExtracts = collection({
  kind: 'stale-extract',
  schema: z.object({
    workspaceId: z.string(),
    hash: z.string(),
    /** When to remove the extract; null after the removal. */
    dueAt: timestampSchema.nullable(),
    /**
     * In milliseconds: for a removal in progress, the time by which it must be over. Null before the first
     * removal.
     */
    removedAt: z.number().nullable(),
    expiresAt: z.int().optional(),
  }),
  key: ({ workspaceId, hash }: { workspaceId: string; hash: string }) => ({
    partition: stalePartition(workspaceId),
    sort: hash,
  }),
  index: ({ workspaceId, hash, dueAt }) =>
    dueAt === null ? undefined : { partition: stalePartition(workspaceId), sort: `${dueAt}#${hash}` },
  expiresAt: ({ expiresAt }) => expiresAt,
});
type StaleExtract = NonNullable<Awaited<ReturnType<typeof staleExtracts.get>>>;

/**
 * The progress of comparing a workspace's extracts with its files. `walkedAt` is in milliseconds, and null during the
 * walk.
 */
export const extractWalks = collection({
  kind: 'extract-walk',
  schema: z.object({
    workspaceId: z.string(),
    after: z.string().nullable(),
    walkedAt: z.number().nullable(),
  }),
  key: ({ workspaceId }: { workspaceId: string }) => ({ partition: 'EXTRACT_WALK', sort: workspaceId }),
});

export function stalePartition(workspaceId: string): string {
  return `STALE_EXTRACTS#${workspaceId}`;
}

/**
 * In seconds. A dead letter is kept for 14 days and may be replayed. Its body in the bucket is kept for 30
 * days.
 */
const REMEMBER_SECONDS = 40 * 24 * 60 * 60;
/**
 * In milliseconds: longer than a removal that starts under the lease of the tables may take to reach the
 * store.
 */
const REMOVING_MS = 60_000;
/** The maximum clock skew between two workers, in milliseconds. */
const CLOCKS_MS = 1000;
const REMOVALS_AT_ONCE = 8;
/** The time limit in milliseconds. Commits can wait for two and a half minutes while maintenance has the tables. */
const TIME_MS = 30_000;
/**
 * Milliseconds between two comparisons that find texts without a record, such as the text of a file that
 * changed before it was committed.
 */
const WALK_EVERY_MS = 30 * 24 * 60 * 60 * 1000;

/** The error of a file whose text must be stored again. No other file is treated as its copy. */
export const TEXT_LOST = 'The stored text of this file was lost. Sync again.';

interface Committed {
  /** All results of the commit, including those that it doesn't accept. */
  results: FileResult[];
  /** The results that the commit accepts. */
  done: FileResult[];
  /** The file records before the commit. */
  known: Map<string, IndexedFile>;
}

interface Planned {
  /**
   * The files whose text was removed after they were read. Their records must say so, because copies rely on
   * records.
   */
  lost: Set<string>;
  /** Call this after the commit's records are written. */
  settle(): Promise<void>;
}

/**
 * Plans the removal of texts that no file has after this commit. Call it before the commit's records are
 * written. Text files have no separate text.
 */
export async function planRemovals(
  { records, clock }: TimedRecords,
  workspaceId: string,
  committed: Committed,
): Promise<Planned> {
  const { unused, written } = compare(committed);
  const hashes = [...new Set([...unused, ...written.map(({ file }) => file.hash)])];
  if (hashes.length === 0) return { lost: new Set(), settle: async () => {} };
  const found = await staleExtracts.getMany(
    records,
    hashes.map((hash) => ({ workspaceId, hash })),
  );
  const marks = new Map((await correctTimes({ records, clock }, found)).map((mark) => [mark.hash, mark]));
  await staleExtracts.putMany(
    records,
    unused.map((hash) => staleFrom({ records, clock }, workspaceId, hash, marks.get(hash))),
  );
  const isLost = ({ file, readAt }: Written) => readAt <= (marks.get(file.hash)?.removedAt ?? 0);
  const lost = written.filter(isLost);
  return {
    lost: new Set(lost.map(({ path }) => path)),
    settle: () => settle({ records, clock }, { written, lost }, marks),
  };
}

/**
 * After a clock was set back, a removal may have a time that is too late for any removal in progress. Every
 * reading would be earlier than that time, so it is replaced with the latest possible time.
 */
async function correctTimes(
  { records, clock }: TimedRecords,
  marks: StaleExtract[],
): Promise<StaleExtract[]> {
  const now = clock.now();
  const isOdd = ({ removedAt }: StaleExtract) => (removedAt ?? 0) > now + REMOVING_MS + CLOCKS_MS;
  const correct = (mark: StaleExtract) => ({
    ...mark,
    removedAt: now + (mark.dueAt === null ? CLOCKS_MS : REMOVING_MS),
  });
  const corrected = marks.filter(isOdd).map(correct);
  if (corrected.length > 0) await staleExtracts.putMany(records, corrected);
  return marks.map((mark) => (isOdd(mark) ? correct(mark) : mark));
}

type Written = Extract<FileResult, { outcome: 'indexed' | 'copied' }>;

/**
 * Cancels the removals of texts that are used again. A lost text keeps waiting until its removal has
 * certainly ended, because a file that is read too early would have to be read again.
 */
async function settle(
  { records, clock }: TimedRecords,
  { written, lost }: { written: Written[]; lost: Written[] },
  marks: Map<string, StaleExtract>,
): Promise<void> {
  const missing = new Set(lost.map(({ file }) => file.hash));
  const used = new Set(written.map(({ file }) => file.hash).filter((hash) => !missing.has(hash)));
  await staleExtracts.deleteMany(
    records,
    [...marks.values()].filter(({ hash }) => used.has(hash)),
  );
  const removedAt = Math.max(0, ...lost.map(({ file }) => marks.get(file.hash)?.removedAt ?? 0));
  await sleep(Math.max(0, removedAt - clock.now()));
}

function compare({ results, done, known }: Committed): { unused: string[]; written: Written[] } {
  const after = new Map([...known.values()].map(({ path, hash }) => [path, hash]));
  for (const result of done) after.set(result.path, hashOf(result));
  const kept = new Set(after.values());
  const before = [...known.values()].filter(isStored).map(({ hash }) => hash);
  const read = results.filter(isStored).map(hashOf);
  const unused = new Set([...before, ...read].filter((hash) => hash !== '' && !kept.has(hash)));
  const written = done.filter(isWritten).filter((result) => isStored(result) && result.file.hash !== '');
  return { unused: [...unused], written };
}

function hashOf(result: FileResult): string {
  return 'file' in result ? result.file.hash : '';
}

function isWritten(result: FileResult): result is Written {
  return result.outcome === 'indexed' || result.outcome === 'copied';
}

/** Returns whether the text of such a file is stored separately from it. */
function isStored({ path }: { path: string }): boolean {
  return readingFormat(path).content === 'encoded';
}

function staleFrom(
  { clock }: TimedRecords,
  workspaceId: string,
  hash: string,
  before: StaleExtract | undefined,
): StaleExtract {
  const dueAt = timestamp(clock, KEEP_VERSIONS_MS);
  return { workspaceId, hash, dueAt, removedAt: before?.removedAt ?? null, expiresAt: undefined };
}

export interface ExtractPorts extends TimedRecords {
  objects: Pick<Objects, 'delete' | 'keys'>;
}

/**
 * For the holder of the tables' lease: removes the texts that are due, and finds texts that were left behind.
 * Returns whether only texts in use remain. After an interruption at any point, the next call does the rest.
 */
export async function removeStaleExtracts(
  ports: ExtractPorts,
  held: Held,
  workspaceId: string,
): Promise<boolean> {
  const until = performance.now() + TIME_MS;
  const isTimeOver = () => performance.now() > until;
  const textless = textlessOf(ports.records, workspaceId);
  const query = { partition: stalePartition(workspaceId), to: `${timestamp(ports.clock)}$` };
  for await (const page of duePages(ports.records, staleExtracts, query)) {
    await removePage({ ...ports, held, textless }, workspaceId, page);
    if (isTimeOver()) return false;
  }
  const isComplete = await findLeftBehind({ ...ports, held, textless }, workspaceId, isTimeOver);
  return isComplete && !(await isAnyWaiting(ports.records, workspaceId));
}

/** Returns whether any text waits for its removal. */
async function isAnyWaiting(records: Records, workspaceId: string): Promise<boolean> {
  const query = { partition: stalePartition(workspaceId), byIndex: true, limit: 1 };
  return (await records.query(query)).records.length > 0;
}

/** Returns the hashes of files without text, which the index lists by name. Read on first use. */
function textlessOf(records: Records, workspaceId: string): () => Promise<Set<string>> {
  let read: Promise<Set<string>> | undefined;
  const query = { partition: filesPartition(workspaceId), byIndex: true, sortPrefix: 'skipped#' };
  const readAll = async () => {
    const hashes = new Set<string>();
    for await (const page of pagesOf((cursor) => records.query({ ...query, cursor })))
      for (const { value } of page.records) if (typeof value.hash === 'string') hashes.add(value.hash);
    return hashes;
  };
  return () => {
    read ??= readAll();
    return read;
  };
}

interface Removing extends ExtractPorts {
  held: Held;
  textless: () => Promise<Set<string>>;
}

/** The index lags behind the records. The marks also contain the latest changes by commits. */
async function removePage(ports: Removing, workspaceId: string, page: StaleExtract[]): Promise<void> {
  const { records, clock, objects, held } = ports;
  const now = timestamp(clock);
  const marks = (await staleExtracts.getMany(records, page)).filter(
    ({ dueAt }) => dueAt !== null && dueAt <= now,
  );
  const { used, unused } = await sortByUse(ports, workspaceId, marks);
  const set = (changes: Partial<StaleExtract>) => {
    held.requireHeld();
    return staleExtracts.putMany(
      records,
      unused.map((mark) => ({ ...mark, ...changes })),
    );
  };
  await set({ removedAt: clock.now() + REMOVING_MS });
  await forEachConcurrent(unused, REMOVALS_AT_ONCE, async ({ hash }) => {
    held.requireHeld();
    await Promise.all(extractKeys(workspaceId, hash).map((key) => objects.delete(key)));
  });
  const expiresAt = expiryAfter(clock, REMEMBER_SECONDS);
  await set({ dueAt: null, removedAt: clock.now() + CLOCKS_MS, expiresAt });
  held.requireHeld();
  await staleExtracts.deleteMany(records, used);
}

/**
 * A text in use may already be deleted, if its removal had started. The next sync then reads its files again.
 */
async function sortByUse(ports: Removing, workspaceId: string, marks: StaleExtract[]) {
  const used: StaleExtract[] = [];
  const unused: StaleExtract[] = [];
  await forEachConcurrent(marks, REMOVALS_AT_ONCE, async (mark) => {
    const query = { partition: filesPartition(workspaceId), byIndex: true, sortPrefix: `${mark.hash}#` };
    const { items } = await indexedFiles.list(ports.records, { ...query, limit: 10 });
    const isUsed = items.length > 0 || (await ports.textless()).has(mark.hash);
    (isUsed ? used : unused).push(mark);
    if (mark.removedAt !== null) await reportLost(ports, mark, items);
  });
  return { used, unused };
}

async function reportLost(
  { records, held }: Removing,
  { workspaceId, hash }: StaleExtract,
  found: IndexedFile[],
): Promise<void> {
  const files = await readKnownFiles(
    records,
    workspaceId,
    found.map(({ path }) => path),
  );
  const lost = [...files.values()].filter((file) => file.hash === hash);
  held.requireHeld();
  await indexedFiles.putMany(
    records,
    lost.map((file) => ({ ...file, error: TEXT_LOST })),
  );
}

/**
 * Compares the stored texts with the files once per month, because a killed worker may have stored a text
 * that no file uses. Only plans the removals, so a text whose file is about to be indexed is safe.
 */
async function findLeftBehind(
  ports: Removing,
  workspaceId: string,
  isTimeOver: () => boolean,
): Promise<boolean> {
  const { records, clock, objects, held } = ports;
  const walk = await extractWalks.get(records, { workspaceId });
  if (walk?.walkedAt && clock.now() - walk.walkedAt < WALK_EVERY_MS) return true;
  for await (const keys of objects.keys(extractsPrefix(workspaceId), walk?.after ?? undefined)) {
    const left = await withoutUse(ports, workspaceId, [...new Set(keys.map(hashOfExtract))]);
    held.requireHeld();
    await staleExtracts.putMany(
      records,
      left.map((hash) => staleFrom(ports, workspaceId, hash, undefined)),
    );
    held.requireHeld();
    await extractWalks.put(records, { workspaceId, after: keys.at(-1) ?? null, walkedAt: null });
    if (isTimeOver()) return false;
  }
  held.requireHeld();
  await extractWalks.put(records, { workspaceId, after: null, walkedAt: clock.now() });
  return true;
}

/**
 * Returns the hashes within a sorted range that belong to no file, and whose removal is neither planned nor
 * done.
 */
async function withoutUse(
  { records, textless }: Pick<Removing, 'records' | 'textless'>,
  workspaceId: string,
  hashes: string[],
): Promise<string[]> {
  const [first, last] = [hashes[0], hashes.at(-1)];
  if (first === undefined) return [];
  const range = { from: `${first}#`, to: `${last}$` }; // `$` sorts after the `#` that follows the hash
  const used = new Set(await textless());
  for await (const { hash } of indexedFiles.all(records, {
    partition: filesPartition(workspaceId),
    byIndex: true,
    ...range,
  }))
    used.add(hash);
  const unused = hashes.filter((hash) => !used.has(hash));
  const known = await staleExtracts.getMany(
    records,
    unused.map((hash) => ({ workspaceId, hash })),
  );
  const planned = new Set(known.map(({ hash }) => hash));
  return unused.filter((hash) => !planned.has(hash));
}
