import { behindAnswer } from '../behind-answer.ts';
import { expiryAfter, timestamp } from '../ports/clock.ts';
import { type RecordChange, type Records, wasExpected } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import type { Collection } from '../records/collection.ts';
import { type Amounts, daysOfUse, monthsOfUse, type Use, type UseOfDay, type UseOfMonth } from './schema.ts';

/** As long as activities: a year can be compared with the one before its last month. */
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

/** Counts what a call has used, once and when it has ended; nobody waits for it. */
export function countUse(ports: TimedRecords, use: Use, model: string, amounts: Partial<Amounts>): void {
  behindAnswer('counting use', addUse(ports, use, model, amounts));
}

/** Additions happen in the store, so that all that is counted at once adds up. */
async function addUse(
  { records, clock }: TimedRecords,
  use: Use,
  model: string,
  amounts: Partial<Amounts>,
): Promise<void> {
  const day = timestamp(clock).slice(0, 10);
  const expiresAt = expiryAfter(clock, KEEP_SECONDS);
  const added = Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount > 0));
  const ofDay: UseOfDay = { ...NOTHING, ...use, day, model, expiresAt };
  await Promise.all([
    addTo(records, daysOfUse, ofDay, added),
    ...monthsOf(ofDay).map((ofMonth) => addTo(records, monthsOfUse, ofMonth, added)),
  ]);
}

function monthsOf({ day, callerId, workspaceId, model, expiresAt }: UseOfDay): UseOfMonth[] {
  const month = { ...NOTHING, month: day.slice(0, 7), model, expiresAt };
  const scopes: Pick<UseOfMonth, 'scope' | 'id'>[] = [
    { scope: 'service', id: 'service' },
    { scope: 'caller', id: callerId },
  ];
  if (workspaceId !== null) scopes.push({ scope: 'workspace', id: workspaceId });
  return scopes.map((scope) => ({ ...month, ...scope }));
}

/** The first of a day makes the record; who makes it at the same moment adds to it. */
async function addTo<Item>(
  records: Records,
  kind: Pick<Collection<Item, Item>, 'update' | 'create'>,
  empty: Item,
  add: NonNullable<RecordChange['add']>,
): Promise<void> {
  if (await wasExpected(kind.update(records, empty, { add }))) return;
  if (await kind.create(records, { ...empty, ...add })) return;
  await kind.update(records, empty, { add });
}
