import { type Clock, timestamp } from '../ports/clock.ts';
import type { FieldExpectation } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import type { Collection } from '../records/collection.ts';

/** Work that one message carries through the queue: each step hands it on to the next. */
interface Stepped {
  step: number;
  heartbeatAt: string;
}

/** Whether its message counts as lost, because no step was stored for so long: then the next request sends it again. */
export function isMessageLost({ heartbeatAt }: Stepped, clock: Clock, lostMs: number): boolean {
  return clock.now() - Date.parse(heartbeatAt) >= lostMs;
}

/**
 * Stores a step after `send` has sent the message of the next one: a worker that is cut short in between gets its own message again.
 * Of two that continue alike, one stores it; false for the other.
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
