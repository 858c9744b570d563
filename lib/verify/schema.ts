import * as z from 'zod';
import { citationSchema } from '../retrieval/cite/cite.ts';
import { deciderSchema, findingSchema } from '../support/assessment-schema.ts';

export const draftFormatSchema = z.enum(['docx', 'md', 'tex', 'html', 'txt']).meta({ title: 'DraftFormat' });
export type DraftFormat = z.infer<typeof draftFormatSchema>;

const VERDICTS = ['supported', 'partial', 'contradicted', 'not_found', 'no_claim'] as const;
const verdictNameSchema = z.enum(VERDICTS).meta({ title: 'DraftVerdict' });
export type VerdictName = z.infer<typeof verdictNameSchema>;

export const draftCitationSchema = citationSchema
  .extend({
    endLine: z.int().describe('Last line of the quote, inclusive.'),
    workspaceId: z.string().describe('ID of the workspace that contains the file.'),
  })
  .meta({ id: 'DraftCitation' });
export type DraftCitation = z.infer<typeof draftCitationSchema>;

/** The verdict on a sentence of a draft. */
export const verdictSchema = z.object({
  n: z.int().describe('Number of the sentence in the draft, starting at 1.'),
  verdict: verdictNameSchema.describe(
    'Verdict: `supported` and `contradicted` by the quotes, `partial` if they say only some of it or were not judged, `not_found` if no file says it, `no_claim` if the sentence needs no evidence.',
  ),
  reason: z
    .string()
    .describe(
      'Reason for the verdict: the words of the model that decided on it, which may be empty, or else `findings` in English.',
    ),
  judgedBy: z
    .enum(['code', 'model'])
    .meta({ title: 'DraftJudge' })
    .optional()
    .describe('What decided on the verdict: code or a model. Missing for a sentence without a claim.'),
  support: citationSchema.shape.support.describe(
    'How far the files support the sentence. Missing for a sentence without a claim.',
  ),
  by: deciderSchema
    .optional()
    .describe('What decided on the support. Missing for a sentence without a claim.'),
  findings: z.array(findingSchema).describe('What code found, also where a model decided.'),
  citations: z.array(draftCitationSchema).describe('Quotes from the files that are nearest to the sentence.'),
});
export type ClaimVerdict = z.infer<typeof verdictSchema>;

/** The error of a judge that was asked but failed, so that code decided instead. */
export const judgeErrorSchema = z
  .strictObject({
    code: z.string().describe('Stable code of the error, such as `model_credential_refused`.'),
    message: z.string().describe('Message of the error.'),
    sentences: z.int().describe('Number of sentences that were not judged because of it.'),
  })
  .meta({ title: 'DraftJudgeError' });
export type JudgeError = z.infer<typeof judgeErrorSchema>;
