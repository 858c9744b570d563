import * as z from 'zod';
import { checkedEntryShape } from '../bibliography/schema.ts';
import { idSchema } from '../identifiers.ts';
import { searchFilter } from '../retrieval/filter/filter-schema.ts';
import { runSchema } from '../runs/schema.ts';
import { budgetSchema } from '../runs/steps/limits.ts';
import { workspaceIdsSchema } from '../workspaces/several-schema.ts';
import { MAX_DRAFT_SENTENCES } from './draft/draft.ts';
import { draftFormatSchema, judgeErrorSchema, verdictSchema } from './schema.ts';

/** The maximum number of files and folders that one check can exclude. */
const MAX_LEFT_OUT = 100;
export const MAX_DRAFT_BYTES = 10 * 1024 * 1024;
/** The maximum number of characters in a draft: about 700 pages. */
export const MAX_DRAFT_CHARACTERS = 2_000_000;

export const verifyBody = z.strictObject({
  workspaceId: idSchema.optional().describe('ID of the workspace whose files are searched.'),
  workspaceIds: workspaceIdsSchema
    .optional()
    .describe(
      'IDs of 1 to 20 workspaces to search, instead of `workspaceId`. You must be a member of all of them. The check is readable only for people who can read all of them.',
    ),
  text: z
    .string()
    .min(1)
    .max(MAX_DRAFT_CHARACTERS)
    .optional()
    .describe('Text of the draft. Places of sentences are counted in it.'),
  path: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe('Path of the draft in the workspace, or in the first of several.'),
  attachment: z
    .strictObject({
      url: z.string().min(1).describe('Data URL of the file, or URL of an attachment of a conversation.'),
      filename: z
        .string()
        .min(1)
        .max(255)
        .optional()
        .describe('Name of the file, whose extension tells its format.'),
      mediaType: z.string().max(255).optional().describe('Media type of the file.'),
    })
    .meta({ title: 'DraftAttachment' })
    .optional()
    .describe('Draft as a file part of the AI SDK.'),
  partOf: idSchema
    .optional()
    .describe(
      'ID of an earlier check that `text` is a sentence of. Its draft is no evidence, even if it is a file of the workspace.',
    ),
  without: z
    .array(z.string().min(1).max(4096))
    .max(MAX_LEFT_OUT)
    .optional()
    .describe(
      'Paths of files and folders that are no evidence. If `text` is from a file of a searched workspace, name that file here.',
    ),
  filter: searchFilter.optional().describe('Limits the files that can be evidence by their facts.'),
  shared: z
    .boolean()
    .optional()
    .describe(
      'Whether everyone who can read the searched workspaces can read a check of `text` or an attachment. Default: only its starter and global administrators. A check of a `path` is always shared, as its file is.',
    ),
  references: z
    .boolean()
    .optional()
    .describe(
      'Whether the entries of the reference list are looked up. Their titles and identifiers are sent to OpenAlex, Crossref, Semantic Scholar, and arXiv. Default: false.',
    ),
  judge: z
    .boolean()
    .optional()
    .describe(
      'Whether a model judges the quotes. Default: the setting of the first workspace or the service, if a model is connected and no budget is used up. Without a judge, only code compares them.',
    ),
  budget: budgetSchema
    .optional()
    .describe('Limits of the judge, by default 200 calls. What is left then is compared by code.'),
});
export type VerifyBody = z.output<typeof verifyBody>;

export const startedCheckSchema = z
  .strictObject({ runId: z.uuid().describe('ID of the run.') })
  .meta({ id: 'StartedDraftCheck' });

export const checkParams = z.object({ runId: idSchema.describe('ID of the run.') });

export const sentenceParams = checkParams.extend({
  n: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_DRAFT_SENTENCES)
    .describe('Number of the sentence, as in the result of the check.'),
});

export const CHECK_FORMATS = ['md', 'docx', 'json'] as const;
export const checkExportQuery = z.object({
  format: z.enum(CHECK_FORMATS).default('md').describe('Format of the export.'),
});

const verdictCountsSchema = z
  .strictObject({
    sentences: z.int().describe('Number of sentences in the draft.'),
    claims: z.int().describe('Number of sentences with a claim.'),
    checked: z.int().describe('Number of claims that have a verdict so far.'),
    supported: z.int().describe('Number of claims that the files support.'),
    partial: z.int().describe('Number of claims that the files support in part, or that were not judged.'),
    unjudged: z
      .int()
      .describe('Number of those of `partial` that have a similar quote, which was not judged.'),
    contradicted: z.int().describe('Number of claims that the files contradict.'),
    not_found: z.int().describe('Number of claims that no file states.'),
    no_claim: z.int().describe('Number of sentences that need no evidence.'),
    possible_errors: z
      .int()
      .describe(
        'Number of claims with a possible error: those that the files contradict, state only in part, or do not state, and those whose source is missing or another one. Similar quotes that were not judged do not count.',
      ),
    listed: z
      .int()
      .describe('Number of those of `no_claim` that were skipped as entries of a list of sources.'),
  })
  .meta({ title: 'DraftCheckCounts' });
export type VerdictCounts = z.infer<typeof verdictCountsSchema>;

const checkedSentenceSchema = z
  .strictObject({
    ...verdictSchema.shape,
    text: z.string().describe('Text of the sentence.'),
    start: z.int().describe('Place in the text of the draft where the sentence starts, in UTF-16 units.'),
    end: z.int().describe('Place where the sentence ends, exclusive.'),
  })
  .meta({ id: 'CheckedSentence' });
export type CheckedSentence = z.infer<typeof checkedSentenceSchema>;

const checkedReferenceSchema = z
  .strictObject({
    entry: z.string().describe('Entry of the reference list, as text.'),
    label: z.string().optional().describe('Number or key of the entry. Missing if the list has no labels.'),
    start: z.int().optional().describe('Place in the text of the draft where the entry starts.'),
    end: z.int().optional().describe('Place where the entry ends, exclusive.'),
    ...checkedEntryShape,
    citedBy: z.array(z.int()).describe('Numbers of the sentences that cite the entry.'),
  })
  .meta({ id: 'CheckedReference' });
export type CheckedReference = z.infer<typeof checkedReferenceSchema>;

export const draftCheckSchema = z
  .strictObject({
    runId: z.string(),
    workspaceIds: z.array(z.string()).describe('IDs of the searched workspaces.'),
    filter: searchFilter.optional().describe('Facts of the files that the check is limited to.'),
    name: z.string().describe('Name of the draft.'),
    format: draftFormatSchema.describe('Format of the draft.'),
    status: runSchema.shape.status,
    createdAt: runSchema.shape.createdAt,
    finishedAt: runSchema.shape.finishedAt,
    error: z.string().nullable().describe('Reason why the run failed. Null otherwise.'),
    ended: z
      .string()
      .nullable()
      .describe('Reason why the judge stopped early, such as a reached budget. Null otherwise.'),
    judge: z.boolean().describe('Whether a model judges the quotes.'),
    judgeError: judgeErrorSchema
      .nullable()
      .describe(
        'First error of the judge, such as a refused key. Code decided instead. Null if it had no error.',
      ),
    counts: verdictCountsSchema,
    text: z.string().describe('Readable text of the draft.'),
    sentences: z
      .array(checkedSentenceSchema)
      .describe('Sentences in their order. While the run continues, those that have a verdict.'),
    references: z
      .array(checkedReferenceSchema)
      .optional()
      .describe(
        'Entries of the reference list that were looked up so far. Missing if the request did not ask for it.',
      ),
    calls: z.int().describe('Number of model calls so far.'),
    inputTokens: z.int().describe('Number of input tokens so far.'),
    outputTokens: z.int().describe('Number of output tokens so far.'),
    costUsd: z.number().nullable().describe('Cost in USD so far. Null if the model has no price.'),
  })
  .meta({ id: 'DraftCheck' });
export type DraftCheck = z.infer<typeof draftCheckSchema>;
