import * as z from 'zod';
import { KEEP_RUN_SECONDS } from '../agent/schema.ts';
import { collection } from '../records/collection.ts';
import { budgetSchema, depthSchema, sourceNameSchema } from './request-schema.ts';

/** What a run of research was asked; beside its run, and kept as long. */
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
  /** What it does with the report before. */
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

export const stepUseSchema = z.object({ calls: z.int(), inputTokens: z.int(), outputTokens: z.int() });
export type StepUse = z.infer<typeof stepUseSchema>;

/** A unit of work that is done: whoever goes on with the run takes what came of it, and does not do it again. */
const stepSchema = z.object({
  runId: z.string(),
  name: z.string(),
  /** The hash of what went into it. */
  hash: z.string(),
  /** JSON text of what came of it. */
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

/** An answer of a model that may serve other runs of the workspace: the same was asked. */
const answerSchema = z.object({
  workspaceId: z.string(),
  hash: z.string(),
  text: z.string(),
  expiresAt: z.int(),
});

export const KEEP_ANSWERS_SECONDS = KEEP_RUN_SECONDS;

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
