import { expiryAfter } from '../../ports/clock.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { type Mark, marks } from '../schema.ts';

/**
 * In seconds: longer than any platform retries a delivery (7.1 h), and longer than a queue retains messages
 * (4 days).
 */
const KEEP_SECONDS = 7 * 24 * 60 * 60;

type MarkId = Pick<Mark, 'platform' | 'kind' | 'id'>;

export async function findMark({ records }: TimedRecords, id: MarkId): Promise<Mark | undefined> {
  return marks.get(records, id);
}

/** Sets the mark. Idempotent. */
export async function setMark(
  { records, clock }: TimedRecords,
  id: MarkId,
  sentAs: string | null = null,
): Promise<void> {
  const expiresAt = expiryAfter(clock, KEEP_SECONDS);
  await marks.put(records, { ...id, sentAs, expiresAt });
}
