import { type Clock, timestamp } from '../ports/clock.ts';
import type { FieldExpectation } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import type { Collection } from '../records/collection.ts';

/** Work that one message carries through the queue. Each step hands off to the next one. */
interface Stepped {
  step: number;
  heartbeatAt: string;
}

/**
 * Returns true if the work's message counts as lost, because no step was stored for this long. The next
 * request then sends it again.
 */
export function isMessageLost({ heartbeatAt }: Stepped, clock: Clock, lostMs: number): boolean {
  return clock.now() - Date.parse(heartbeatAt) >= lostMs;
}

/**
 * Stores a step after `send` has sent the message of the next step. So a worker that dies in between gets its
 * own message again. Of two concurrent steps, one stores it, and the other returns false.
 */
export async function storeStep<Item extends Stepped, Id>(
  { records, clock }: TimedRecords,
  collection: Collection<Item, Id>,
  before: Item | undefined,
  next: Omit<Item, 'heartbeatAt'>,
  { send, expect }: { send?: (() => Promise<void>) | undefined; expect?: FieldExpectation } = {},
): Promise<boolean> {
  await send?.();
  const step = { ...next, heartbeatAt: timestamp(clock) } as unknown as Item;
  return before === undefined
    ? collection.create(records, step)
    : collection.put(records, step, { step: before.step, ...expect });
}
