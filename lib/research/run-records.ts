import * as z from 'zod';
import { collection } from '../records/collection.ts';
import { searchFilter } from '../retrieval/filter/filter-schema.ts';
import { runPartition } from '../runs/schema.ts';
import { budgetSchema } from '../runs/steps/limits.ts';
import { depthSchema, sourceNameSchema } from './request-schema.ts';

/** The request of a research run; stored next to its run, for as long. */
const studySchema = z.object({
  runId: z.string(),
  question: z.string(),
  sources: z.array(sourceNameSchema),
  filter: searchFilter.optional(),
  addresses: z.array(z.string()),
  depth: depthSchema,
  budget: z.object(budgetSchema.shape).nullable(),
  language: z.string(),
  approvePlan: z.boolean(),
  previousRunId: z.string().nullable(),
  /** How the previous report is used. */
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
