import * as z from 'zod';
import type { Records } from '../../ports/records.ts';
import { collection } from '../../records/collection.ts';
import { dropPartition } from '../../records/drop-partition.ts';
import { KEEP_RUN_SECONDS, runPartition } from '../schema.ts';

const stepUseSchema = z.object({ calls: z.int(), inputTokens: z.int(), outputTokens: z.int() });
export type StepUse = z.infer<typeof stepUseSchema>;

/** A completed unit of work. Any process that continues the run uses its result instead of repeating it. */
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
    partition: runPartition(runId),
    sort: `${STEPS}${name}#${hash}`,
  }),
  expiresAt: (step) => step.expiresAt,
});

export function stepsOf(runId: string, name?: string) {
  const sortPrefix = name === undefined ? STEPS : `${STEPS}${name}#`;
  return { partition: runPartition(runId), sortPrefix, limit: 200 };
}

/** A model answer that other runs of the workspace may reuse for the same request. */
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
