import * as z from 'zod';
import type { Records } from '../../ports/records.ts';
import { collection } from '../../records/collection.ts';

const count = z.number().int();

/** A file with pages that wait for a recognizer. It goes when they are read, or the file is another one. */
export const pendingRecognitions = collection({
  kind: 'pending-recognition',
  schema: z.object({
    workspaceId: z.string(),
    path: z.string(),
    hash: z.string(),
    /** The recognizer that is to read them. */
    by: z.string(),
    /** Page numbers, from 1. */
    pages: z.array(count),
    /** How many of them are read. */
    pagesRead: count,
  }),
  key: ({ workspaceId, path }: { workspaceId: string; path: string }) => ({
    partition: pendingPartition(workspaceId),
    sort: path,
  }),
});
export type PendingRecognition = NonNullable<Awaited<ReturnType<typeof pendingRecognitions.get>>>;

export function pendingPartition(workspaceId: string): string {
  return `RECOGNIZE#${workspaceId}`;
}

/** The first by path; undefined where nothing waits. */
export async function firstPending(
  records: Records,
  workspaceId: string,
): Promise<PendingRecognition | undefined> {
  const query = { partition: pendingPartition(workspaceId), limit: 1 };
  for await (const pending of pendingRecognitions.all(records, query)) return pending;
  return undefined;
}

/** The message of a workspace that works on what waits, and hands itself on; one that comes twice finds its step taken. */
export const recognitionRuns = collection({
  kind: 'recognition-run',
  schema: z.object({
    workspaceId: z.string(),
    step: count,
    active: z.boolean(),
    /** The file that the last step came to, and how far; before the first, the one that was asked for. */
    path: z.string().optional(),
    pages: count,
    pagesRead: count,
    heartbeatAt: z.string(),
  }),
  key: ({ workspaceId }: { workspaceId: string }) => ({ partition: 'RECOGNITION', sort: workspaceId }),
});
export type RecognitionRun = NonNullable<Awaited<ReturnType<typeof recognitionRuns.get>>>;
