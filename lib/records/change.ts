import { setTimeout as sleep } from 'node:timers/promises';
import { backOffDelay } from '../async/retry.ts';
import { Conflict } from '../errors.ts';
import type { FieldExpectation, Records } from '../ports/records.ts';
import type { Collection } from './collection.ts';

/** Maximum attempts; each retry means that another writer was faster. */
const MAX_ATTEMPTS = 20;
/**
 * Base delay of retries, in milliseconds. The first retry is immediate. Later ones are spread out: otherwise,
 * many concurrent writers would need as many rounds.
 */
const FIRST_WAIT_MS = 4;
const LONGEST_WAIT_MS = 400;

type MaybePromise<Value> = Value | Promise<Value>;

/**
 * A record with a version. A change is written only if the record still has the version on which the change
 * is based.
 */
interface Versioned {
  version: number;
}

/**
 * Optimistic update: reads the record and writes the result of `next`. Retries if another writer was faster.
 * If the record doesn't exist, `next` gets undefined, and its result is created. If `next` returns undefined,
 * this writes nothing and resolves with undefined. After twenty attempts, throws Conflict or the error of
 * `giveUp`.
 */
export async function change<Item extends Versioned, Id>(
  kind: Collection<Item, Id>,
  records: Records,
  id: Id,
  next: (before: Item | undefined) => MaybePromise<Partial<Item> | undefined>,
  giveUp: () => Error = refuseOvertaken,
): Promise<Item | undefined> {
  const attempt = async () => {
    const before = await kind.get(records, id);
    const fields = await next(before);
    if (fields === undefined) return { changed: undefined };
    const changed = await (before === undefined
      ? createFirst(kind, records, fields as Item)
      : changeRead(kind, records, before, fields));
    return changed && { changed };
  };
  return (await whileOvertaken(attempt, giveUp)).changed;
}

/** The error for changes that a caller requested and can repeat. */
export function refuseOvertaken(): Conflict {
  return new Conflict('concurrent_changes', 'This was updated at the same time. Try again.');
}

/** The error for changes that the service makes itself. */
export function failOvertaken(): Error {
  return new Error('other writers were faster each time');
}

async function createFirst<Item extends Versioned, Id>(
  kind: Collection<Item, Id>,
  records: Records,
  fields: Item,
): Promise<Item | undefined> {
  const item = { ...fields, version: 1 };
  return (await kind.create(records, item)) ? item : undefined;
}

/**
 * Changes a record that was already read, in one attempt; undefined if another writer was faster, or `expect` isn't
 * met.
 */
export function changeRead<Item extends Versioned, Id>(
  kind: Collection<Item, Id>,
  records: Records,
  before: Item,
  fields: Partial<Item>,
  expect: FieldExpectation = {},
): Promise<Item | undefined> {
  const { version } = before;
  return kind.patch(records, before, { ...fields, version: version + 1 }, { version, ...expect });
}

/**
 * Retries a conditional write, including its read, until the result isn't undefined. Throws like `change`.
 */
export async function whileOvertaken<Result>(
  attempt: () => Promise<Result | undefined>,
  giveUp: () => Error = refuseOvertaken,
): Promise<Result> {
  for (let overtaken = 0; overtaken < MAX_ATTEMPTS; overtaken++) {
    if (overtaken > 1) await sleep(Math.random() * backOffDelay(overtaken, FIRST_WAIT_MS, LONGEST_WAIT_MS));
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw giveUp();
}
