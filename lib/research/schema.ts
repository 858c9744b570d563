import * as z from 'zod';
import { filePartShape } from '../ports/file-part.ts';
import { deciderSchema, findingSchema, supportSchema } from '../support/assessment-schema.ts';

/** A question that a report answers, and what an answer must contain. */
const subQuestionSchema = z
  .strictObject({
    id: z.string().describe('ID of the question, such as `q1`.'),
    question: z.string(),
    answeredBy: z.string().describe('Information that would answer the question.'),
    keywords: z
      .array(z.string())
      .optional()
      .describe('Search keywords, in addition to the words of the question.'),
  })
  .meta({ title: 'SubQuestion' });
export type SubQuestion = z.infer<typeof subQuestionSchema>;

export const planSchema = z.strictObject({ questions: z.array(subQuestionSchema) });
export type ResearchPlan = z.infer<typeof planSchema>;

/** The source of a quote, for the bibliography. */
export const sourceSchema = z
  .strictObject({
    kind: z.enum(['file', 'paper', 'dataset', 'web']).meta({ title: 'ResearchSourceKind' }),
    title: z.string(),
    authors: z.array(z.string()).optional(),
    publishedDate: z.iso.date().optional().describe('Date of publication, if known.'),
    year: z.int().optional().describe('Year of publication, if only the year is known.'),
    venue: z.string().optional().describe('Journal, proceedings, or book that contains the source.'),
    entryType: z.string().optional().describe("Type of the source's BibTeX entry, such as `article`."),
    citationKey: z
      .string()
      .optional()
      .describe("Key of the source in the workspace's own `.bib` files, such as `smith2024owls`."),
    doi: z.string().optional().describe('DOI of a paper, without a URL prefix.'),
    arxivId: z.string().optional().describe('ID of a paper on arXiv, such as `2005.11401`.'),
    url: z.string().optional().describe('URL of an external source.'),
    license: z.string().optional().describe('License of a paper, as its source names it.'),
    retrievedAt: z.iso.datetime().optional().describe('Time at which an external source was retrieved.'),
  })
  .meta({ title: 'ResearchSource' });
export type Source = z.infer<typeof sourceSchema>;

const supportsSchema = z.enum(['yes', 'partly', 'no']);

/** A statement of a source, as its quote and in the model's words. */
export const evidenceSchema = z.strictObject({
  id: z.string().describe('ID of the evidence, such as `e1`. Markers in the report refer to it.'),
  questionId: z.string().describe('ID of the question that the evidence is about.'),
  claim: z.string().describe('Statement that the quote supports, in the words of the model.'),
  quote: z.string().describe('Quote from the source: an exact substring of the copy in the workspace.'),
  workspaceId: z
    .string()
    .optional()
    .describe('ID of the workspace of the source. Absent if the report is about one workspace.'),
  path: z.string().describe('Path of the source in the workspace.'),
  startLine: z.int().describe('First line of the quote in the indexed text, starting at 1.'),
  endLine: z.int().describe('Last line of the quote, inclusive.'),
  ...filePartShape,
  source: sourceSchema,
  verified: z.boolean().describe('Whether the source contains exactly this quote.'),
  supports: supportsSchema.describe('Whether the quote supports the claim.'),
  contradicts: z.array(z.string()).optional().describe('IDs of evidence that contradicts this evidence.'),
});
export type Evidence = z.infer<typeof evidenceSchema>;

/**
 * The verdict on a sentence. A `plain` sentence states no fact and needs no citation. A sentence that is
 * still unsupported after one rewrite is `marked`, with the reasons, or dropped from the report.
 */
const sentenceSchema = z
  .strictObject({
    text: z.string().describe('Text of the sentence, without markers.'),
    evidence: z.array(z.string()).describe('IDs of the evidence for the sentence.'),
    state: z
      .enum(['plain', 'supported', 'marked'])
      .meta({ title: 'SentenceState' })
      .describe('Verdict: `plain` states no fact, `supported` has evidence, `marked` has too little.'),
    support: supportSchema.optional().describe('How far the evidence supports the sentence.'),
    by: deciderSchema.optional(),
    findings: z.array(findingSchema).optional().describe('What code found.'),
    reasons: z.array(z.string()).optional().describe('Reasons why the sentence is marked, in words.'),
  })
  .meta({ title: 'ResearchSentence' });
export type Sentence = z.infer<typeof sentenceSchema>;

export const sectionSchema = z.strictObject({
  questionId: z
    .string()
    .nullable()
    .describe(
      'ID of the question that the section answers. Null for a section about the whole report, such as a summary.',
    ),
  heading: z.string(),
  paragraphs: z.array(z.array(sentenceSchema)).describe('Sentences of each paragraph.'),
});
export type Section = z.infer<typeof sectionSchema>;

/** A source that was reviewed for a question. */
export const lookedSchema = z
  .strictObject({
    questionId: z.string().describe('ID of the question that the source was reviewed for.'),
    workspaceId: z
      .string()
      .optional()
      .describe('ID of the workspace of the file, if the report is about several.'),
    path: z.string().optional().describe('Path of a file of the workspace.'),
    title: z.string().optional().describe('Title of a paper or a web page.'),
    url: z.string().optional().describe('URL of a paper or a web page.'),
    used: z.boolean().describe('Whether the report has evidence from the source.'),
    reason: z.string().optional().describe("Reason why the source wasn't used."),
  })
  .meta({ title: 'ResearchLooked' });
export type Looked = z.infer<typeof lookedSchema>;

export const countsSchema = z
  .strictObject({
    sentences: z.int().describe('Number of sentences that were written.'),
    supported: z.int().describe('Number of sentences whose quotes support them.'),
    marked: z.int().describe('Number of sentences that are marked as partly supported.'),
    dropped: z.int().describe('Number of sentences that were removed as unsupported.'),
    judged: z
      .boolean()
      .optional()
      .describe(
        'False if no model judged the sentences: `supported` are then those whose numbers, dates, and names are in their quotes.',
      ),
  })
  .meta({ title: 'ResearchCounts' });
export type Counts = z.infer<typeof countsSchema>;

const reportSchema = z.strictObject({
  title: z.string(),
  language: z.string().describe('Language of the report as a BCP 47 tag, such as `en` or `zh-CN`.'),
  question: z.string(),
  sections: z.array(sectionSchema),
  evidence: z.array(evidenceSchema),
  openQuestions: z.array(z.string()),
  looked: z
    .array(lookedSchema)
    .optional()
    .describe('Sources that were reviewed, whether or not they were used.'),
  workspaces: z
    .array(z.object({ id: z.string(), name: z.string() }))
    .optional()
    .describe('Workspaces of the report, if there are several.'),
  counts: countsSchema,
  createdAt: z.iso.datetime(),
});
export type Report = z.infer<typeof reportSchema>;
