import * as z from 'zod';
import type { Records } from '../../ports/records.ts';
import { collection } from '../../records/collection.ts';

const count = z.number().int();

/** A file with pages that wait for OCR. Deleted when they are read, or when the file has changed. */
export const pendingRecognitions = collection({
  kind: 'pending-recognition',
  schema: z.object({
    workspaceId: z.string(),
    path: z.string(),
    hash: z.string(),
    /** The OCR engine that reads its pages. */
    by: z.string(),
    /** Page numbers, from 1. */
    pages: z.array(count),
    /** Number of pages that were read. */
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

/** Returns the first waiting file by path; undefined if none waits. */
export async function firstPending(
  records: Records,
  workspaceId: string,
): Promise<PendingRecognition | undefined> {
  const query = { partition: pendingPartition(workspaceId), limit: 1 };
  for await (const pending of pendingRecognitions.all(records, query)) return pending;
  return undefined;
}

/**
 * A workspace's OCR work in one message that hands itself off. A repeated message finds that its step was
 * already taken.
 */
export const recognitionRuns = collection({
  kind: 'recognition-run',
  schema: z.object({
    workspaceId: z.string(),
    step: count,
    active: z.boolean(),
    /**
     * The file at which the last step stopped, with its progress. Before the first step, it is the requested
     * file.
     */
    path: z.string().optional(),
    pages: count,
    pagesRead: count,
    heartbeatAt: z.string(),
  }),
  key: ({ workspaceId }: { workspaceId: string }) => ({ partition: 'RECOGNITION', sort: workspaceId }),
});
export type RecognitionRun = NonNullable<Awaited<ReturnType<typeof recognitionRuns.get>>>;
