import * as z from 'zod';
import { ownerKey } from '../access/owner-key.ts';
import {
  FEEDBACK_REASONS,
  type FeedbackReason,
  MAX_COMMENT,
  type Rating,
} from '../api-contract/feedback-reasons.ts';
import { conversationParams, conversationPartition, conversationSchema } from '../conversations/schema.ts';
import { timestampSchema } from '../ports/clock.ts';
import { collection } from '../records/collection.ts';
import { pageQuery } from '../records/page.ts';
import { supportSchema } from '../support/assessment-schema.ts';

const ratingSchema = z.enum(Object.keys(FEEDBACK_REASONS) as Rating[]).meta({ title: 'Rating' });
const reasonSchema = z
  .enum([...FEEDBACK_REASONS.up, ...FEEDBACK_REASONS.down])
  .meta({ title: 'FeedbackReason' });

const MAX_REASONS = Math.max(FEEDBACK_REASONS.up.length, FEEDBACK_REASONS.down.length);

const fields = {
  rating: ratingSchema.describe('Whether the answer was good (`up`) or not (`down`).'),
  reasons: z.array(reasonSchema).describe('Reasons for the rating.'),
  comment: z.string().describe('Comment of the person. Empty if there is none.'),
};

/**
 * What one person says about one answer. Stored in the partition of the conversation, so that it is deleted with it;
 * listed for administrators by its ID, newest first.
 */
export const feedback = collection({
  kind: 'feedback',
  schema: z.object({
    ...fields,
    id: z.uuid(),
    /** The key of the conversation, and the position of the answer in it. */
    key: z.string(),
    place: z.int(),
    messageId: z.string(),
    personId: z.string(),
    updatedAt: timestampSchema,
  }),
  key: ({ key, personId, place }: { key: string; personId: string; place: number }) => ({
    partition: conversationPartition(key),
    sort: `${feedbackPrefix(personId)}${String(place).padStart(10, '0')}`,
  }),
  index: ({ id }) => ({ partition: FEEDBACK, sort: id }),
});
export type StoredFeedback = NonNullable<Awaited<ReturnType<typeof feedback.get>>>;

export const FEEDBACK = 'FEEDBACK';

export function feedbackPrefix(personId: string): string {
  return `FEEDBACK#${ownerKey(personId)}#`;
}

export const feedbackBody = z
  .strictObject({
    rating: fields.rating,
    reasons: fields.reasons.max(MAX_REASONS).default([]),
    comment: z.string().trim().max(MAX_COMMENT).default('').describe('Comment of the person.'),
  })
  .refine(({ rating, reasons }) => reasons.every((reason) => isReasonFor(rating, reason)), {
    path: ['reasons'],
    message: 'must be reasons for the rating',
  });
export type FeedbackBody = z.output<typeof feedbackBody>;

function isReasonFor(rating: Rating, reason: FeedbackReason): boolean {
  return (FEEDBACK_REASONS[rating] as readonly FeedbackReason[]).includes(reason);
}

export const feedbackParams = conversationParams.extend({
  messageId: z.string().min(1).max(200).describe('ID of the answer.'),
});

export const ownFeedbackSchema = z
  .strictObject({
    messageId: z.string().describe('ID of the answer.'),
    ...fields,
    updatedAt: timestampSchema.describe('Time of the latest change.'),
  })
  .meta({ id: 'OwnFeedback' });
export type OwnFeedback = z.infer<typeof ownFeedbackSchema>;

const ratedPassageSchema = z
  .strictObject({
    workspaceId: z.string().describe('ID of the workspace of the file.'),
    path: z.string(),
    startLine: z.int().describe('First line of the quote, starting at 1.'),
    endLine: z.int().describe('Last line of the quote.'),
    quote: z.string().describe('Quoted text. Empty if the file had no fitting text.'),
    title: z.string().optional().describe('Title of the document, if it is known.'),
    support: supportSchema.optional().describe('The weakest support of the sentences that cite the passage.'),
  })
  .meta({ id: 'RatedPassage' });
export type RatedPassage = z.infer<typeof ratedPassageSchema>;

const ratedAnswerSchema = z
  .strictObject({
    question: z.string().describe('Question, at most 8,000 characters.'),
    answer: z.string().describe('Text of the answer, at most 8,000 characters. Empty for a report.'),
    passages: z.array(ratedPassageSchema).describe('Passages that the answer cites, at most 50.'),
  })
  .meta({ id: 'RatedAnswer' });
export type RatedAnswer = z.infer<typeof ratedAnswerSchema>;

export const shownFeedbackSchema = z
  .strictObject({
    id: z.uuid(),
    ...ownFeedbackSchema.shape,
    personId: z.string().describe('ID of the person.'),
    personName: z.string().optional().describe('Name of the person, as far as it is known.'),
    conversationId: z.string(),
    workspaceId: z.string(),
    kind: conversationSchema.shape.kind,
    model: z.string().nullable().describe('Name of the model. Null if it is unknown.'),
    shared: ratedAnswerSchema
      .nullable()
      .describe(
        'Question, answer, and passages. Null if the person rated an answer in the private conversation of another person.',
      ),
  })
  .meta({ id: 'Feedback' });
export type ShownFeedback = z.infer<typeof shownFeedbackSchema>;

export const feedbackQuery = pageQuery.extend({
  rating: ratingSchema.optional().describe('Only feedback with this rating.'),
});
export type FeedbackQuery = z.output<typeof feedbackQuery>;
export const feedbackExportQuery = feedbackQuery.extend({
  limit: pageQuery.shape.limit.unwrap().default(1000).describe('Maximum number of ratings in the file.'),
  format: z
    .literal('beir')
    .default('beir')
    .describe("Form of the file: a collection in BEIR's form, as a ZIP file."),
});
