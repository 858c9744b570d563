import * as z from 'zod';
import { expiryAfter } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { collection } from '../records/collection.ts';
import type { FileResult } from './messages.ts';
import { isRecordable } from './schema.ts';

/**
 * Seconds for which files stay marked after their message became a dead letter, unless a sync removes the
 * marks first.
 */
const EXPIRES_SECONDS = 6 * 60 * 60;
/** The maximum number of files to count, and to mark per message. */
export const MAX_WAITING_FILES = 1000;

/**
 * Files that were changed without a sync and aren't committed yet; the index state counts them. Whoever
 * requests the reading marks them, the index worker replaces these marks with the files that it finds, and
 * the commit worker or a complete sync removes the marks.
 */
export const waitingFiles = collection({
  kind: 'waiting-file',
  schema: z.object({
    workspaceId: z.string(),
    path: z.string(),
    /** Milliseconds since the epoch. A commit of an earlier reading doesn't end the wait. */
    askedAt: z.number().int(),
    /** The earliest time at which the file may have been changed; absent if that is when the reading was requested. */
    since: z.number().int().optional(),
    /**
     * When a worker began to read the file, and the file's time of change then, in milliseconds. Absent
     * before that.
     */
    begun: z.object({ at: z.number().int(), ctimeMs: z.number() }).optional(),
    /** Whether the file is deleted, so that it isn't counted although its passages still exist. */
    gone: z.boolean().optional(),
    expiresAt: z.number().int(),
  }),
  key: ({ workspaceId, path }: { workspaceId: string; path: string }) => ({
    partition: waitingPartition(workspaceId),
    sort: path,
  }),
  expiresAt: ({ expiresAt }) => expiresAt,
});

export function waitingPartition(workspaceId: string): string {
  return `INDEX_WAITING#${workspaceId}`;
}

interface Marked {
  since?: number | undefined;
  gone?: boolean;
  begun?: Map<string, { at: number; ctimeMs: number }> | undefined;
}

export async function markWaiting(
  { records, clock }: TimedRecords,
  workspaceId: string,
  paths: string[],
  { since, gone, begun }: Marked = {},
): Promise<void> {
  const expiresAt = expiryAfter(clock, EXPIRES_SECONDS);
  const askedAt = clock.now();
  const marked = [...new Set(paths)].filter(isRecordable).slice(0, MAX_WAITING_FILES);
  const marks = marked.map((path) => ({
    workspaceId,
    path,
    askedAt,
    since,
    gone,
    begun: begun?.get(path),
    expiresAt,
  }));
  if (marks.length > 0) await waitingFiles.putMany(records, marks);
}

interface Found {
  asked: string[];
  found: { path: string; ctimeMs: number }[];
  removed: string[];
  begins: boolean;
}

/**
 * Marks the found files instead of the requested paths, which may be folders, or deleted. `begins` means that
 * a worker is now reading the files.
 */
export async function waitForFound(
  ports: TimedRecords,
  workspaceId: string,
  { asked, found, removed, begins }: Found,
): Promise<void> {
  const marks = await marksOf(ports.records, workspaceId, asked);
  const since = marks.length > 0 ? earliest(marks) : undefined;
  const at = ports.clock.now();
  const begun = begins ? new Map(found.map(({ path, ctimeMs }) => [path, { at, ctimeMs }])) : undefined;
  const paths = found.map(({ path }) => path);
  await markWaiting(ports, workspaceId, paths, { since, begun });
  await markWaiting(ports, workspaceId, removed, { since, gone: true });
  const left = new Set([...paths, ...removed]);
  await unmark(
    ports.records,
    workspaceId,
    asked.filter((path) => isRecordable(path) && !left.has(path)),
  );
}

function marksOf(records: Records, workspaceId: string, paths: string[]) {
  const ids = paths.filter(isRecordable).map((path) => ({ workspaceId, path }));
  return waitingFiles.getMany(records, ids);
}

/**
 * Leaves these paths to another reader if all of them began to wait before a time, given in milliseconds
 * since the epoch. A worker that began to read them and died no longer counts as their reader.
 */
export async function leaveOlder(
  records: Records,
  workspaceId: string,
  { paths, before }: { paths: string[]; before: number },
): Promise<boolean> {
  const marks = await marksOf(records, workspaceId, paths);
  if (marks.length < new Set(paths).size || marks.some(({ askedAt }) => askedAt >= before)) return false;
  const begun = marks.filter((mark) => mark.begun !== undefined);
  if (begun.length > 0)
    await waitingFiles.putMany(
      records,
      begun.map(({ begun: _, ...mark }) => mark),
    );
  return true;
}

/**
 * Milliseconds for which others leave a file to the worker that began to read it. A dead worker must not
 * delay them for longer.
 */
const LEFT_MS = 60_000;

/** Returns the files that a worker is reading, each with its time of change when that began. */
export async function listBegun(
  { records, clock }: TimedRecords,
  workspaceId: string,
  paths: string[],
): Promise<{ path: string; ctimeMs: number }[]> {
  const asked = new Set(paths);
  const least = clock.now() - LEFT_MS;
  const waiting = await listWaiting(records, workspaceId);
  return waiting.flatMap(({ path, begun }) =>
    begun !== undefined && begun.at > least && asked.has(path) ? [{ path, ctimeMs: begun.ctimeMs }] : [],
  );
}

/**
 * Removes the marks of files whose results are committed, unless a file was changed again after it was read.
 */
export async function unmarkCommitted(
  records: Records,
  workspaceId: string,
  results: FileResult[],
): Promise<void> {
  const readAt = new Map<string, number>();
  for (const result of results)
    if (result.outcome !== 'indexed' || result.last)
      readAt.set(result.path, Math.max(result.readAt, readAt.get(result.path) ?? 0));
  let waiting = await listWaiting(records, workspaceId);
  if (waiting.length === MAX_WAITING_FILES) waiting = await marksOf(records, workspaceId, [...readAt.keys()]);
  const done = waiting.filter(
    ({ path, askedAt }) => askedAt <= (readAt.get(path) ?? Number.NEGATIVE_INFINITY),
  );
  await unmark(
    records,
    workspaceId,
    done.map(({ path }) => path),
  );
}

/** A complete sync has read all changes from before its start, even if a message about one was lost. */
export async function unmarkSynced(
  { records }: TimedRecords,
  { workspaceId, startedAt }: { workspaceId: string; startedAt: string },
): Promise<void> {
  const since = Date.parse(startedAt);
  const read: string[] = [];
  for await (const { path, askedAt } of allWaiting(records, workspaceId))
    if (askedAt <= since) read.push(path);
  await unmark(records, workspaceId, read);
}

export async function countWaiting(records: Records, workspaceId: string): Promise<number> {
  return countFiles(await listWaiting(records, workspaceId));
}

/** Counts waiting files. Returns the time of the earliest waiting change, even if its file isn't counted. */
export async function readWaiting(
  records: Records,
  workspaceId: string,
): Promise<{ count: number; since: number }> {
  const waiting = [];
  for await (const mark of allWaiting(records, workspaceId)) waiting.push(mark);
  return { count: countFiles(waiting.slice(0, MAX_WAITING_FILES)), since: earliest(waiting) };
}

function countFiles(marks: { gone?: boolean | undefined }[]): number {
  return marks.filter(({ gone }) => !gone).length;
}

function earliest(marks: { askedAt: number; since?: number | undefined }[]): number {
  return marks.reduce(
    (least, { askedAt, since = askedAt }) => Math.min(least, since),
    Number.POSITIVE_INFINITY,
  );
}

function allWaiting(records: Records, workspaceId: string) {
  return waitingFiles.all(records, { partition: waitingPartition(workspaceId), limit: MAX_WAITING_FILES });
}

async function listWaiting(records: Records, workspaceId: string) {
  const query = { partition: waitingPartition(workspaceId), limit: MAX_WAITING_FILES };
  return (await waitingFiles.list(records, query)).items;
}

async function unmark(records: Records, workspaceId: string, paths: string[]): Promise<void> {
  const ids = paths.map((path) => ({ workspaceId, path }));
  if (ids.length > 0) await waitingFiles.deleteMany(records, ids);
}
