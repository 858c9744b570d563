import type { Evidence, SubQuestion } from '../schema.ts';
import type { Study } from './study.ts';

/**
 * Whether a refreshed report has for a question what the one before had: then nothing is weighed, written or judged again,
 * whatever is kept of the model's answers by then.
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
