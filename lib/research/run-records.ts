import * as z from 'zod';
import { timestampSchema } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import { collection } from '../records/collection.ts';
import { dropPartition } from '../records/drop-partition.ts';
import { runPartition } from '../runs/schema.ts';
import { budgetSchema } from '../runs/steps/limits.ts';
import { depthSchema, sourceNameSchema } from './request-schema.ts';

/** The request of a research run; stored next to its run, and as long. */
const studySchema = z.object({
  runId: z.string(),
  question: z.string(),
  sources: z.array(sourceNameSchema),
  addresses: z.array(z.string()),
  depth: depthSchema,
  budget: z.object(budgetSchema.shape).nullable(),
  language: z.string(),
  approvePlan: z.boolean(),
  previousRunId: z.string().nullable(),
  /** The use of the previous report. */
  way: z.enum(['anew', 'further', 'refresh']),
  expiresAt: z.int(),
});
export type StudyRequest = z.infer<typeof studySchema>;

export const studies = collection({
  kind: 'research-study',
  schema: studySchema,
  key: ({ runId }: { runId: string }) => ({ partition: runPartition(runId), sort: 'STUDY' }),
  expiresAt: (study) => study.expiresAt,
});

/** A proof that was exported. Each release writes its own, so a report may have several. */
const proofSchema = z.object({
  runId: z.string(),
  rootHash: z.string(),
  createdAt: timestampSchema,
  expiresAt: z.int(),
});

const PROOFS = 'PROOF#';
const MAX_PROOFS = 20;

export const proofs = collection({
  kind: 'research-proof',
  schema: proofSchema,
  key: ({ runId, rootHash }: { runId: string; rootHash: string }) => ({
    partition: runPartition(runId),
    sort: `${PROOFS}${rootHash}`,
  }),
  expiresAt: (proof) => proof.expiresAt,
});

/** Returns the root hashes of the proofs that were exported of a report, the newest first. */
export async function rootHashesOf(
  records: Records,
  runId: string,
): Promise<{ rootHash: string; createdAt: string }[]> {
  const query = { partition: runPartition(runId), sortPrefix: PROOFS, limit: MAX_PROOFS };
  const { items } = await proofs.list(records, query);
  return items
    .map(({ rootHash, createdAt }) => ({ rootHash, createdAt }))
    .sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
}

/** Removes the run, its request, steps, and proofs. */
export async function dropRunRecords(records: Records, runId: string): Promise<void> {
  await dropPartition(records, runPartition(runId));
}
