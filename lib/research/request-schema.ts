import * as z from 'zod';
import { conversationIdSchema } from '../conversations/schema.ts';
import { idSchema } from '../identifiers.ts';
import { searchFilter } from '../retrieval/filter/filter-schema.ts';
import { runSchema } from '../runs/schema.ts';
import { budgetSchema } from '../runs/steps/limits.ts';
import { urlField } from '../validation/pasted-fields.ts';
import { ONE_OR_SEVERAL, workspaceIdsSchema } from '../workspaces/several-schema.ts';
import { countsSchema, evidenceSchema, lookedSchema, planSchema, sectionSchema } from './schema.ts';

/** The maximum number of questions in a plan. With more, a report would be too long to read. */
const MAX_QUESTIONS = 12;
/** The maximum length of a question in characters. */
export const MAX_QUESTION = 2000;
const MAX_ADDRESSES = 20;

const text = (longest: number) => z.string().trim().min(1).max(longest).meta({ pattern: '\\S' });

export const depthSchema = z.enum(['quick', 'standard', 'deep']).meta({ title: 'ResearchDepth' });
export type DepthName = z.infer<typeof depthSchema>;

export const sourceNameSchema = z
  .enum(['files', 'datasets', 'papers', 'web'])
  .meta({ title: 'ResearchSourceName' });
export type SourceName = z.infer<typeof sourceNameSchema>;

const wishes = {
  depth: depthSchema.default('standard'),
  budget: budgetSchema.optional(),
};

/** A request for a report, without its workspaces. */
export const researchWish = z.strictObject({
  question: text(MAX_QUESTION),
  sources: z
    .array(sourceNameSchema)
    .min(1)
    .max(4)
    .default(['files', 'datasets'])
    .describe(
      'Sources to search: the files of the workspace, the documents of linked datasets, papers, or the web. With `web`, the sub-questions are sent to the web search provider.',
    ),
  filter: searchFilter
    .optional()
    .describe(
      'Limits the files and datasets to search by their facts. Papers and web pages are not filtered.',
    ),
  addresses: z
    .array(urlField(/^https$/, 'must be an HTTPS URL').max(2000))
    .max(MAX_ADDRESSES)
    .default([])
    .describe('URLs of public web pages to read as well.'),
  ...wishes,
  language: z
    .string()
    .max(35, { abort: true }) // the minimum that RFC 5646 recommends
    .regex(/^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/, 'must be a language such as en or zh-CN')
    .default('en')
    .describe('Language of the report as a BCP 47 tag, such as `en` or `zh-CN`.'),
  approvePlan: z
    .boolean()
    .default(false)
    .describe('Whether the plan needs approval before the research starts.'),
});
export type ResearchWish = z.output<typeof researchWish>;

export const researchBody = z
  .strictObject({
    workspaceId: idSchema.optional().describe('ID of the workspace. Required without `workspaceIds`.'),
    workspaceIds: workspaceIdsSchema
      .optional()
      .describe(
        'IDs of 1 to 20 workspaces to search in, instead of `workspaceId`. You must be a member of all of them. Only people who can read all of them can read the report, which does not become a note. Papers and web pages are saved in the first one.',
      ),
    ...researchWish.shape,
  })
  .refine(...ONE_OR_SEVERAL);
export type ResearchBody = z.output<typeof researchBody>;

export const planBody = z.strictObject({
  questions: z
    .array(
      z
        .strictObject({
          question: text(500),
          answeredBy: z
            .string()
            .trim()
            .max(500)
            .default('')
            .describe('Information that would answer the question.'),
          keywords: z
            .array(text(100).meta({ title: 'SearchKeyword' }))
            .max(10)
            .optional()
            .describe('Search keywords, in addition to the words of the question.'),
        })
        .meta({ title: 'ChangedSubQuestion' }),
    )
    .min(1)
    .max(MAX_QUESTIONS)
    .optional()
    .describe('Questions that replace those of the plan.'),
  approved: z.boolean().default(true).describe('Whether the plan is approved. False ends the run.'),
});
export type PlanBody = z.output<typeof planBody>;

export const furtherBody = z.strictObject({ question: text(MAX_QUESTION), budget: budgetSchema.optional() });
export const refreshBody = z.strictObject({ budget: budgetSchema.optional() });

export const researchParams = z.object({ runId: idSchema.describe('ID of the run.') });

export const FORMATS = ['md', 'html', 'docx', 'bibtex', 'csl', 'zip'] as const;
export const reportExportQuery = z.object({
  format: z.enum(FORMATS).default('md').describe('Format of the export.'),
});

/** The expected usage of a report, before any source was read. */
const estimateSchema = z
  .strictObject({
    calls: z.int().describe('Maximum number of model calls.'),
    inputTokens: z.int().describe('Maximum number of input tokens.'),
    outputTokens: z.int().describe('Maximum number of output tokens.'),
    costUsd: z.number().nullable().describe('Maximum cost in USD. Null if the model has no price.'),
  })
  .meta({
    id: 'ResearchEstimate',
    description: 'Maximum usage and cost, not counting results that earlier reports already paid for.',
  });
export type Estimate = z.infer<typeof estimateSchema>;

const SOURCE_NAMES = /^(files|datasets|papers|web)(,(files|datasets|papers|web)){0,3}$/;

export const depthsQuery = z.object({
  workspaceId: idSchema.describe('ID of the workspace.'),
  sources: z
    .string()
    .regex(SOURCE_NAMES, 'must be a comma-separated list of files, datasets, papers, and web')
    .optional()
    .transform((names) => names?.split(',') ?? ['files', 'datasets'])
    .pipe(z.array(sourceNameSchema).min(1).max(4))
    .describe('Comma-separated sources, such as `files,papers`.')
    .meta({ type: 'string', pattern: SOURCE_NAMES.source }),
});

export const depthsSchema = z.array(
  z
    .strictObject({
      depth: depthSchema,
      questions: z.int().describe('Maximum number of questions in the plan.'),
      passages: z.int().describe('Number of passages that are read per question.'),
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
    workspaceIds: z
      .array(z.string())
      .optional()
      .describe('IDs of all workspaces of the report, if there are several.'),
    conversationId: z
      .string()
      .nullable()
      .describe('ID of the conversation that the report belongs to. Null for a report of a scheduled task.'),
    previousRunId: z.string().nullable().describe('ID of the run whose evidence this run continues from.'),
    question: z.string(),
    filter: searchFilter.optional().describe('Facts of the files that the report is limited to.'),
    depth: depthSchema,
    status: runSchema.shape.status,
    createdAt: runSchema.shape.createdAt,
    error: z.string().nullable().describe('Reason why the run failed. Null otherwise.'),
    ended: z.string().nullable().describe('Reason why the run ended early, such as a reached budget.'),
    plan: planSchema.nullable().describe('Questions of the report. Null until they are planned.'),
    evidence: z
      .array(
        evidenceSchema.extend({
          fileHash: z
            .string()
            .optional()
            .describe(
              'SHA-256 of the file when the report was finished. Absent before, and if the report cites it nowhere.',
            ),
        }),
      )
      .describe('Quotes that were found so far.'),
    sections: z.array(sectionSchema).describe('Sections of the report that have been checked.'),
    looked: z.array(lookedSchema).describe('Sources that were reviewed, whether or not they were used.'),
    openQuestions: z.array(z.string()).describe('Questions that the evidence leaves open.'),
    noteId: z
      .string()
      .nullable()
      .describe(
        'ID of the note with the report. Null until it is written, and for a report about several workspaces.',
      ),
    counts: countsSchema,
    calls: z.int().describe('Number of model calls so far.'),
    inputTokens: z.int().describe('Number of input tokens so far.'),
    outputTokens: z.int().describe('Number of output tokens so far.'),
    costUsd: z.number().nullable().describe('Cost in USD so far. Null if the model has no price.'),
    estimate: estimateSchema,
  })
  .meta({ id: 'Research' });
export type Research = z.infer<typeof researchSchema>;
