/** The reasons that a person may give for the rating of an answer. */
export const FEEDBACK_REASONS = {
  up: ['correct', 'complete', 'good_passages', 'clear'],
  down: ['incorrect', 'incomplete', 'wrong_passages', 'unsupported', 'unclear', 'other'],
} as const;

export type Rating = keyof typeof FEEDBACK_REASONS;
export type FeedbackReason = (typeof FEEDBACK_REASONS)[Rating][number];

/** Maximum characters of a comment. */
export const MAX_COMMENT = 2000;
