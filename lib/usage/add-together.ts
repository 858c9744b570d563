import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Addition, Records, RecordValue } from '../ports/records.ts';

type Outcomes = Map<string, RecordValue | Error>;

interface Batch {
  additions: Map<string, Addition>;
  written: Promise<Outcomes>;
}

/** Additions for the next write of each store. */
const gathering = new WeakMap<Records, Batch>();
/** The write in progress for each store. */
const writing = new WeakMap<Records, Promise<unknown>>();

/**
 * Batches additions: those made at the same moment, or during the previous write, are sent in one write,
 * without a timer that callers would wait for. Returns the results of addMany. Throws if the store does; in
 * that case, nothing was added.
 */
export async function addTogether(records: Records, additions: Addition[]): Promise<(RecordValue | Error)[]> {
  const batch = gathering.get(records) ?? beginBatch(records);
  for (const addition of additions) gather(batch, addition);
  const outcomes = await batch.written;
  return additions.map((addition) => outcomes.get(idOf(addition)) ?? new Error('nothing was written'));
}

function beginBatch(records: Records): Batch {
  const additions: Batch['additions'] = new Map();
  const written = write(records, additions, writing.get(records));
  const batch = { additions, written };
  gathering.set(records, batch);
  writing.set(
    records,
    written.catch(() => undefined),
  );
  return batch;
}

async function write(
  records: Records,
  additions: Batch['additions'],
  before: Promise<unknown> | undefined,
): Promise<Outcomes> {
  await before;
  await nextTurn();
  gathering.delete(records);
  const outcomes = await records.addMany([...additions.values()]);
  return new Map([...additions.keys()].map((id, index) => [id, outcomes[index] ?? new Error('no outcome')]));
}

function gather({ additions }: Batch, addition: Addition): void {
  const id = idOf(addition);
  const before = additions.get(id);
  additions.set(id, before === undefined ? addition : { ...before, add: sum(before.add, addition.add) });
}

function sum(one: Addition['add'], other: Addition['add']): Addition['add'] {
  const total = { ...one };
  for (const [field, amount] of Object.entries(other)) total[field] = (total[field] ?? 0) + amount;
  return total;
}

function idOf({ record: { key } }: Addition): string {
  return JSON.stringify([key.partition, key.sort]);
}
