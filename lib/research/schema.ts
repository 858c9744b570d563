import * as z from 'zod';
import { filePartShape } from '../ports/file-part.ts';

/** A question that a report answers, and what would answer it. */
export const subQuestionSchema = z
  .strictObject({
    id: z.string().describe('q1, q2, …'),
    question: z.string(),
    answeredBy: z.string().describe('what would answer it'),
    keywords: z.array(z.string()).optional().describe('what it is searched by, beside its words'),
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
    publishedDate: z.iso.date().optional(),
    doi: z.string().optional(),
    arxivId: z.string().optional(),
    url: z.string().optional(),
    license: z.string().optional().describe('of a paper, as its source names it'),
    retrievedAt: z.iso.datetime().optional().describe('of what came from outside'),
  })
  .meta({ title: 'ResearchSource' });
export type Source = z.infer<typeof sourceSchema>;

export const supportsSchema = z.enum(['yes', 'partly', 'no']);
export type Supports = z.infer<typeof supportsSchema>;

/** What a source says, in its own words and in ours. */
export const evidenceSchema = z.strictObject({
  id: z.string().describe('e1, e2, …; what markers in the report name'),
  questionId: z.string(),
  claim: z.string(),
  quote: z.string().describe('an exact substring of the source as it is kept in the workspace'),
  path: z.string().describe('of the kept source'),
  startLine: z.int(),
  endLine: z.int(),
  ...filePartShape,
  source: sourceSchema,
  verified: z.boolean().describe('the quote stands in the source, letter by letter'),
  supports: supportsSchema.describe('whether the quote says what the claim says'),
  contradicts: z.array(z.string()).optional().describe('ids of evidence that says otherwise'),
});
export type Evidence = z.infer<typeof evidenceSchema>;

/**
 * The verdict on a sentence: `plain` states no fact and needs no citation; a sentence that isn't supported after one rewrite is
 * `marked`, with the reasons, or dropped from the report.
 */
export const sentenceSchema = z
  .strictObject({
    text: z.string().describe('without markers'),
    evidence: z.array(z.string()).describe('ids'),
    state: z.enum(['plain', 'supported', 'marked']).meta({ title: 'SentenceState' }),
    reasons: z.array(z.string()).optional(),
  })
  .meta({ title: 'ResearchSentence' });
export type Sentence = z.infer<typeof sentenceSchema>;

export const sectionSchema = z.strictObject({
  questionId: z.string().nullable().describe('null: of the whole, such as a summary'),
  heading: z.string(),
  paragraphs: z.array(z.array(sentenceSchema)),
});
export type Section = z.infer<typeof sectionSchema>;

/** Something that was reviewed for a question. */
export const lookedSchema = z
  .strictObject({
    questionId: z.string(),
    path: z.string().optional(),
    title: z.string().optional(),
    url: z.string().optional(),
    used: z.boolean(),
    reason: z.string().optional().describe('why it was left out'),
  })
  .meta({ title: 'ResearchLooked' });
export type Looked = z.infer<typeof lookedSchema>;

export const countsSchema = z
  .strictObject({
    sentences: z.int().describe('that were written'),
    supported: z.int(),
    marked: z.int(),
    dropped: z.int(),
  })
  .meta({ title: 'ResearchCounts' });
export type Counts = z.infer<typeof countsSchema>;

export const reportSchema = z.strictObject({
  title: z.string(),
  language: z.string().describe('BCP 47, as en or zh-CN'),
  question: z.string(),
  sections: z.array(sectionSchema),
  evidence: z.array(evidenceSchema),
  openQuestions: z.array(z.string()),
  looked: z.array(lookedSchema).optional().describe('what was looked at, whether or not it was used'),
  counts: countsSchema,
  createdAt: z.iso.datetime(),
});
export type Report = z.infer<typeof reportSchema>;
