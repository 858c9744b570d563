import * as z from 'zod';
import { KEEP_RUN_SECONDS } from '../agent/schema.ts';
import { timestampSchema } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import { collection } from '../records/collection.ts';
import { dropPartition } from '../records/drop-partition.ts';
import { budgetSchema, depthSchema, sourceNameSchema } from './request-schema.ts';

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

const partition = (runId: string) => `AGENT_RUN#${runId}`;

export const studies = collection({
  kind: 'research-study',
  schema: studySchema,
  key: ({ runId }: { runId: string }) => ({ partition: partition(runId), sort: 'STUDY' }),
  expiresAt: (study) => study.expiresAt,
});

const stepUseSchema = z.object({ calls: z.int(), inputTokens: z.int(), outputTokens: z.int() });
export type StepUse = z.infer<typeof stepUseSchema>;

/** A completed unit of work: any process that continues the run uses its result, and doesn't repeat it. */
const stepSchema = z.object({
  runId: z.string(),
  name: z.string(),
  /** The hash of its input. */
  hash: z.string(),
  /** Its result as JSON text. */
  value: z.string(),
  use: stepUseSchema,
  expiresAt: z.int(),
});
export type Step = z.infer<typeof stepSchema>;

const STEPS = 'STEP#';

export const steps = collection({
  kind: 'research-step',
  schema: stepSchema,
  key: ({ runId, name, hash }: Pick<Step, 'runId' | 'name' | 'hash'>) => ({
    partition: partition(runId),
    sort: `${STEPS}${name}#${hash}`,
  }),
  expiresAt: (step) => step.expiresAt,
});

export function stepsOf(runId: string, name?: string) {
  const sortPrefix = name === undefined ? STEPS : `${STEPS}${name}#`;
  return { partition: partition(runId), sortPrefix, limit: 200 };
}

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
    partition: partition(runId),
    sort: `${PROOFS}${rootHash}`,
  }),
  expiresAt: (proof) => proof.expiresAt,
});

/** Returns the root hashes of the proofs that were exported of a report, the newest first. */
export async function rootHashesOf(
  records: Records,
  runId: string,
): Promise<{ rootHash: string; createdAt: string }[]> {
  const query = { partition: partition(runId), sortPrefix: PROOFS, limit: MAX_PROOFS };
  const { items } = await proofs.list(records, query);
  return items
    .map(({ rootHash, createdAt }) => ({ rootHash, createdAt }))
    .sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
}

/** Removes the run, its request, steps, and proofs. */
export async function dropRunRecords(records: Records, runId: string): Promise<void> {
  await dropPartition(records, partition(runId));
}

/** A model answer that other runs of the workspace may reuse: the request was the same. */
const answerSchema = z.object({
  workspaceId: z.string(),
  hash: z.string(),
  text: z.string(),
  expiresAt: z.int(),
});

export const ANSWERS_TTL_SECONDS = KEEP_RUN_SECONDS;

export const answers = collection({
  kind: 'research-answer',
  schema: answerSchema,
  key: ({ workspaceId, hash }: { workspaceId: string; hash: string }) => ({
    partition: answersPartition(workspaceId),
    sort: hash,
  }),
  expiresAt: (answer) => answer.expiresAt,
});

function answersPartition(workspaceId: string): string {
  return `RESEARCH_ANSWERS#${workspaceId}`;
}

/** Removes the stored model answers of a deleted workspace. */
export async function dropAnswers(records: Records, workspaceId: string): Promise<void> {
  await dropPartition(records, answersPartition(workspaceId));
}
