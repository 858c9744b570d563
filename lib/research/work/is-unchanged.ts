import type { Evidence, SubQuestion } from '../schema.ts';
import type { Study } from './study.ts';

/**
 * Returns whether a refreshed report has the same evidence for a question as the previous report. If so,
 * nothing is weighed, written, or judged again, even if the model's answers are no longer stored.
 */
export function isUnchanged(
  { request, earlier }: Study,
  { id: questionId }: Pick<SubQuestion, 'id'>,
  evidence: Evidence[],
): boolean {
  if (request.way !== 'refresh' || !earlier?.isWhole) return false;
  const known = new Set(earlier.evidence.map(({ id }) => id));
  return (
    evidence.every(({ id }) => known.has(id)) && earlier.gone.every((each) => each.questionId !== questionId)
  );
}
