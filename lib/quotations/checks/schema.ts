import * as z from 'zod';
import { idSchema } from '../../identifiers.ts';
import { filePath } from '../../paths/path-schema.ts';
import { filePartShape } from '../../ports/file-part.ts';
import { workspaceParams } from '../../workspaces/schema.ts';
import { BROKEN_REASONS, DOCUMENT_KINDS } from '../records/schema.ts';

const placeFields = {
  path: z.string(),
  startLine: z.int().describe('First line of the quote, starting at 1.'),
  endLine: z.int().describe('Last line of the quote, inclusive.'),
  ...filePartShape,
};

const documentSchema = z
  .strictObject({
    kind: z.enum(DOCUMENT_KINDS).meta({ title: 'CitingDocumentKind' }),
    id: z
      .string()
      .describe('ID of the note, of the conversation with the answer, or of the run that wrote the report.'),
    title: z.string().describe('Title of the note, the conversation, or the report.'),
    messageId: z.string().optional().describe('ID of the answer in its conversation. Absent for others.'),
    noteId: z.string().optional().describe('ID of the note that has the report. Absent for others.'),
    workspaceId: z
      .string()
      .optional()
      .describe('ID of the workspace of a conversation about several. Absent if it is that of the file.'),
  })
  .meta({ title: 'CitingDocument' });

const citationSchema = z
  .strictObject({
    index: z.int().describe('Number of the citation in its document.'),
    ...placeFields,
    quote: z.string().describe('Quote, shortened to 400 characters.'),
    fileHash: z
      .string()
      .nullable()
      .describe('SHA-256 of the latest version of the file that contained the quote. Null if none is known.'),
  })
  .meta({ title: 'BrokenQuote' });

const suggestionSchema = z
  .strictObject({ ...placeFields, fileHash: z.string().describe('SHA-256 of the file.') })
  .meta({ title: 'RepairSuggestion' });
export type Suggestion = z.infer<typeof suggestionSchema>;

export const brokenCitationSchema = z
  .strictObject({
    id: z.string().describe('ID of the broken citation.'),
    document: documentSchema.describe('Document that has the citation.'),
    citation: citationSchema.describe('Citation as it was when it was last found.'),
    reason: z
      .enum(BROKEN_REASONS)
      .meta({ title: 'BrokenReason' })
      .describe(
        'Reason: the file was `changed` and lacks the quote, `moved` and the document could not be updated, `deleted`, or is a `retracted` paper.',
      ),
    since: z.iso.datetime().describe('Time at which it was found.'),
    suggestion: suggestionSchema
      .optional()
      .describe('Place elsewhere in the workspace that contains the same quote. Absent if none was found.'),
  })
  .meta({ id: 'BrokenCitation' });
export type BrokenCitation = z.infer<typeof brokenCitationSchema>;

export const brokenCitationParams = workspaceParams.extend({
  brokenCitationId: z
    .string()
    .min(1)
    .max(400, { abort: true })
    .refine((id) => id.isWellFormed(), 'must be well-formed Unicode')
    .describe('ID of the broken citation.'),
});

export const repairedSchema = z
  .strictObject({
    document: documentSchema.describe('Document that was repaired.'),
    citation: citationSchema.describe('Citation as it is now.'),
  })
  .meta({ id: 'RepairedCitation' });
export type Repaired = z.infer<typeof repairedSchema>;

/** The maximum number of citations checked per request. */
const MAX_CHECKED = 500;

const checkedCitationSchema = z
  .strictObject({
    index: z.int().min(0).describe('Number of the citation in its text; 0 if it has none.'),
    path: filePath,
    startLine: z.int().min(1).default(1).describe('First line of the quote, starting at 1.'),
    quote: z.string().min(1).max(4000).describe('Quote. Its first 400 characters are compared.'),
    fileHash: z.string().max(64).optional().describe('SHA-256 of the file that contained the quote.'),
  })
  .meta({ title: 'CitationToCheck' });
export type CheckedCitation = z.infer<typeof checkedCitationSchema>;

export const checkCitationsBody = z.strictObject({
  citations: z.array(checkedCitationSchema).min(1).max(MAX_CHECKED).describe('Citations of a text.'),
  noteId: idSchema
    .optional()
    .describe(
      'ID of the note that was made of the text: a citation that was moved or repaired there is `updated`.',
    ),
});
export type CheckCitations = z.output<typeof checkCitationsBody>;

export const citationNowSchema = z
  .strictObject({
    state: z
      .enum(['holds', ...BROKEN_REASONS, 'updated', 'unknown'])
      .meta({ title: 'CitationState' })
      .describe(
        'State: the file contains the quote (`holds`), was `changed` and lacks it, was `moved`, was `deleted`, or is a `retracted` paper. `updated` if the note cites another place. `unknown` if the file is being indexed, or could not be read in time.',
      ),
    place: suggestionSchema
      .optional()
      .describe(
        'Place elsewhere in the workspace that has the quote: of a moved file, or of another with the same quote.',
      ),
  })
  .meta({ id: 'CitationNow' });
export type CitationNow = z.infer<typeof citationNowSchema>;

export const citationsQuery = z.object({ path: filePath });

export const citationCountSchema = z
  .strictObject({
    citations: z.int().describe('Number of citations.'),
    documents: z.int().describe('Number of notes, reports, and answers that have them.'),
    isWhole: z.boolean().describe('Whether all were counted. Otherwise there may be more.'),
  })
  .meta({ id: 'CitationCount' });
export type CitationCount = z.infer<typeof citationCountSchema>;
