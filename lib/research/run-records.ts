import * as z from 'zod';
import { KEEP_RUN_SECONDS } from '../agent/schema.ts';
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

export function stepsOf(runId: string) {
  return { partition: partition(runId), sortPrefix: STEPS, limit: 200 };
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

export function answersPartition(workspaceId: string): string {
  return `RESEARCH_ANSWERS#${workspaceId}`;
}

/** Removes the stored model answers of a deleted workspace. */
export async function dropAnswers(records: Records, workspaceId: string): Promise<void> {
  await dropPartition(records, answersPartition(workspaceId));
}
