import * as z from 'zod';
import { runSchema } from '../agent/schema.ts';
import { conversationIdSchema } from '../conversations/schema.ts';
import { idSchema } from '../identifiers.ts';
import { countsSchema, evidenceSchema, lookedSchema, planSchema, sectionSchema } from './schema.ts';

/** Questions of a plan; more are work that nobody reads. */
export const MAX_QUESTIONS = 12;
/** Characters of what is asked. */
export const MAX_QUESTION = 2000;
const MAX_ADDRESSES = 20;

const text = (longest: number) => z.string().trim().min(1).max(longest).meta({ pattern: '\\S' });

export const depthSchema = z.enum(['quick', 'standard', 'deep']).meta({ title: 'ResearchDepth' });
export type DepthName = z.infer<typeof depthSchema>;

export const sourceNameSchema = z.enum(['files', 'datasets', 'papers']).meta({ title: 'ResearchSourceName' });
export type SourceName = z.infer<typeof sourceNameSchema>;

export const budgetSchema = z
  .strictObject({
    calls: z.int().min(1).max(2000).optional().describe('of the model'),
    tokens: z.int().min(1000).max(50_000_000).optional().describe('in and out'),
    minutes: z.number().min(0.1).max(720).optional(),
  })
  .meta({ title: 'ResearchBudget' });
export type StudyBudget = z.infer<typeof budgetSchema>;

const wishes = {
  depth: depthSchema.default('standard'),
  budget: budgetSchema.optional(),
};

export const researchBody = z.strictObject({
  workspaceId: idSchema,
  question: text(MAX_QUESTION),
  sources: z
    .array(sourceNameSchema)
    .min(1)
    .max(3)
    .default(['files', 'datasets'])
    .describe(
      "where it looks: the workspace's files, linked datasets' documents, papers of the four sources",
    ),
  addresses: z
    .array(z.url({ protocol: /^https$/, error: 'must be an HTTPS URL' }).max(2000))
    .max(MAX_ADDRESSES)
    .default([])
    .describe('pages of the public web that are read, too'),
  ...wishes,
  language: z
    .string()
    .max(35, { abort: true }) // as long as RFC 5646 wants at least
    .regex(/^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/, 'must be a language such as en or zh-CN')
    .default('en'),
  approvePlan: z.boolean().default(false).describe('wait for a person before the plan is carried out'),
});
export type ResearchBody = z.output<typeof researchBody>;

export const planBody = z.strictObject({
  questions: z
    .array(
      z
        .strictObject({
          question: text(500),
          answeredBy: z.string().trim().max(500).default(''),
          keywords: z
            .array(text(100).meta({ title: 'SearchKeyword' }))
            .max(10)
            .optional(),
        })
        .meta({ title: 'ChangedSubQuestion' }),
    )
    .min(1)
    .max(MAX_QUESTIONS)
    .optional()
    .describe('instead of those of the plan'),
  approved: z.boolean().default(true).describe('false ends the run'),
});
export type PlanBody = z.output<typeof planBody>;

export const furtherBody = z.strictObject({ question: text(MAX_QUESTION), budget: budgetSchema.optional() });
export const refreshBody = z.strictObject({ budget: budgetSchema.optional() });

export const researchParams = z.object({ runId: idSchema });

export const FORMATS = ['md', 'html', 'docx', 'bibtex', 'csl'] as const;
export const reportExportQuery = z.object({ format: z.enum(FORMATS).default('md') });

/** What a report is expected to take, before anything was read. */
export const estimateSchema = z
  .strictObject({
    calls: z.int(),
    inputTokens: z.int(),
    outputTokens: z.int(),
    costUsd: z.number().nullable().describe('null: the model has no price'),
  })
  .meta({
    id: 'ResearchEstimate',
    description: 'at the most, without what earlier reports have paid already',
  });
export type Estimate = z.infer<typeof estimateSchema>;

const SOURCE_NAMES = /^(files|datasets|papers)(,(files|datasets|papers)){0,2}$/;

export const depthsQuery = z.object({
  workspaceId: idSchema,
  sources: z
    .string()
    .regex(SOURCE_NAMES, 'must be a comma-separated list of files, datasets, and papers')
    .optional()
    .transform((names) => names?.split(',') ?? ['files', 'datasets'])
    .pipe(z.array(sourceNameSchema).min(1).max(3))
    .describe('with commas between them, as `files,papers`')
    .meta({ type: 'string', pattern: SOURCE_NAMES.source }),
});

export const depthsSchema = z.array(
  z
    .strictObject({
      depth: depthSchema,
      questions: z.int().describe('that the plan may have'),
      passages: z.int().describe('that are read for one of them'),
      estimate: estimateSchema,
    })
    .meta({ id: 'ResearchDepthOption' }),
);

export const startedSchema = z
  .strictObject({ runId: z.uuid(), conversationId: conversationIdSchema, estimate: estimateSchema })
  .meta({ id: 'ResearchStarted' });

export const researchSchema = z
  .strictObject({
    runId: z.uuid(),
    workspaceId: z.string(),
    conversationId: z.string().nullable(),
    previousRunId: z.string().nullable().describe('whose evidence it goes on from'),
    question: z.string(),
    depth: depthSchema,
    status: runSchema.shape.status,
    error: z.string().nullable(),
    ended: z.string().nullable().describe('why it ended before all was done, as at its budget'),
    plan: planSchema.nullable(),
    evidence: z.array(evidenceSchema),
    sections: z.array(sectionSchema).describe('that are checked'),
    looked: z.array(lookedSchema),
    openQuestions: z.array(z.string()),
    noteId: z.string().nullable(),
    counts: countsSchema,
    calls: z.int().describe('of the model so far'),
    inputTokens: z.int().describe('of them'),
    outputTokens: z.int().describe('of them'),
    costUsd: z.number().nullable().describe('so far; null: the model has no price'),
    estimate: estimateSchema,
  })
  .meta({ id: 'Research' });
export type Research = z.infer<typeof researchSchema>;
