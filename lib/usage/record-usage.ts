import { waitUntil } from '../async/after-response.ts';
import { log } from '../log.ts';
import { expiryAfter, timestamp } from '../ports/clock.ts';
import type { RecordValue } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { addTogether } from './add-together.ts';
import { noteStored } from './budgets/ledger.ts';
import { type Amounts, daysOfUse, monthsOfUse, type Use, type UseOfDay, type UseOfMonth } from './schema.ts';
import { scopesOf } from './scopes.ts';

/** Seconds for which usage is kept, like activities: a year can be compared with the previous year. */
const KEEP_SECONDS = 400 * 24 * 60 * 60;

const NOTHING: Amounts = {
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  embeddedTokens: 0,
  embeddedTexts: 0,
  rerankedTexts: 0,
  commandMs: 0,
  estimatedTokens: 0,
};

/**
 * Records the usage of a call, once, after it has ended. Callers don't wait for that. Then calls `onCounted`.
 */
export function recordUsage(
  ports: TimedRecords,
  use: Use,
  model: string,
  amounts: Partial<Amounts>,
  onCounted: () => void = () => {},
): void {
  const counted = addUse(ports, use, model, amounts).then((months) => {
    for (const month of months) noteStored(ports.records, month);
  });
  waitUntil('counting use', counted.finally(onCounted));
}

/** Adds usage in the store itself, so that concurrent usage adds up. */
async function addUse(
  { records, clock }: TimedRecords,
  use: Use,
  model: string,
  amounts: Partial<Amounts>,
): Promise<UseOfMonth[]> {
  const day = timestamp(clock).slice(0, 10);
  const expiresAt = expiryAfter(clock, KEEP_SECONDS);
  const added = Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount > 0));
  const ofDay: UseOfDay = { ...NOTHING, ...use, day, model, expiresAt };
  const month = { ...NOTHING, month: day.slice(0, 7), model, expiresAt };
  const [, ...months] = await addTogether(records, [
    daysOfUse.addition(ofDay, added),
    ...scopesOf(use).map((scope) => monthsOfUse.addition({ ...month, ...scope }, added)),
  ]);
  return months.flatMap(readMonth);
}

function readMonth(outcome: RecordValue | Error): UseOfMonth[] {
  if (!(outcome instanceof Error)) return [monthsOfUse.read(outcome)];
  log.error('use of a month was not counted', {}, outcome);
  return [];
}
