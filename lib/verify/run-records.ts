import * as z from 'zod';
import { collection } from '../records/collection.ts';
import { runPartition } from '../runs/schema.ts';
import { budgetSchema } from '../runs/steps/limits.ts';
import { draftCitationSchema, draftFormatSchema, judgeErrorSchema, verdictSchema } from './schema.ts';

/** The request of a run that checks a draft; stored next to its run, and as long. */
const checkRequestSchema = z.object({
  runId: z.string(),
  /** The workspaces that are searched; the first is the run's. */
  workspaceIds: z.array(z.string()),
  name: z.string(),
  /** The draft's path in the first workspace, if it is a file there, and the SHA-256 of its bytes: it is no evidence for itself. */
  path: z.string().nullable(),
  /** Where the draft is stored. */
  folder: z.string(),
  /** Where the draft is stored that this one is a sentence of. Its versions are no evidence, either. */
  wholeFolder: z.string().optional(),
  hash: z.string(),
  /** Files and folders that are no evidence, either; absent in records of earlier releases. */
  without: z.array(z.string()).optional(),
  /** Whether only its starter and global administrators can read it; absent in records of earlier releases. */
  isPrivate: z.boolean().optional(),
  format: draftFormatSchema,
  judge: z.boolean(),
  budget: z.object(budgetSchema.shape).nullable(),
  /** How many sentences the draft has, and how many of them hold a claim. */
  sentences: z.int(),
  claims: z.int(),
  /** True until the worker has read a draft that takes longer than a request may. */
  isUnread: z.boolean().optional(),
  expiresAt: z.int(),
});
export type CheckRequest = z.infer<typeof checkRequestSchema>;

export const checkRequests = collection({
  kind: 'draft-check',
  schema: checkRequestSchema,
  key: ({ runId }: { runId: string }) => ({ partition: runPartition(runId), sort: 'DRAFT' }),
  expiresAt: (request) => request.expiresAt,
});

const PARTS = 'PART#';

/** The check of a sentence of a draft: it is deleted with the check of the whole. */
export const checkParts = collection({
  kind: 'draft-check-part',
  schema: z.object({ runId: z.string(), partId: z.string(), expiresAt: z.int() }),
  key: ({ runId, partId }: { runId: string; partId: string }) => ({
    partition: runPartition(runId),
    sort: `${PARTS}${partId}`,
  }),
  expiresAt: (part) => part.expiresAt,
});

export function checkPartsOf(runId: string) {
  return { partition: runPartition(runId), sortPrefix: PARTS, limit: 100 };
}

/** The verdicts of a batch of claims. They aren't in the run's events, which who may read one of its workspaces may follow. */
const verdictBatchSchema = z.object({
  runId: z.string(),
  batch: z.int(),
  verdicts: z.array(verdictSchema.extend({ citations: z.array(z.object(draftCitationSchema.shape)) })),
  /** Why the judge said nothing of the batch; absent where it answered, or wasn't asked. */
  judgeError: z.object(judgeErrorSchema.shape).optional(),
  expiresAt: z.int(),
});
export type VerdictBatch = z.infer<typeof verdictBatchSchema>;

const VERDICTS = 'VERDICTS#';

export const verdictBatches = collection({
  kind: 'draft-verdicts',
  schema: verdictBatchSchema,
  key: ({ runId, batch }: { runId: string; batch: number }) => ({
    partition: runPartition(runId),
    sort: `${VERDICTS}${String(batch).padStart(6, '0')}`,
  }),
  expiresAt: (batch) => batch.expiresAt,
});

export function verdictsOf(runId: string) {
  return { partition: runPartition(runId), sortPrefix: VERDICTS, limit: 100 };
}
