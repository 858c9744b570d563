import { setTimeout as sleep } from 'node:timers/promises';
import { backOffDelay } from '../async/retry.ts';
import { Conflict } from '../errors.ts';
import type { FieldExpectation, Records } from '../ports/records.ts';
import type { Collection } from './collection.ts';

/** Each further attempt needs another writer that was faster. */
const MAX_ATTEMPTS = 20;
/** Another one is made at once. Then they spread out: many that began together would make as many rounds. */
const FIRST_WAIT_MS = 4;
const LONGEST_WAIT_MS = 400;

type MaybePromise<Value> = Value | Promise<Value>;

/** A record that counts its changes: a change is only written over the version that it was made from. */
interface Versioned {
  version: number;
}

/**
 * Optimistic update: reads the record, and writes what `next` makes of it; again whenever another writer was faster. `next` gets
 * undefined if there is no record, which its answer then creates. Resolves with undefined, and without writing, if `next` does.
 * Throws Conflict, or what `giveUp` makes, after twenty attempts.
 */
export async function change<Item extends Versioned, Id>(
  kind: Collection<Item, Id>,
  records: Records,
  id: Id,
  next: (before: Item | undefined) => MaybePromise<Partial<Item> | undefined>,
  giveUp: () => Error = refuse,
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

/** For changes that a caller asked for, and can ask for again. */
function refuse(): Error {
  return new Conflict('concurrent_changes', 'This was updated at the same time. Try again.');
}

/** For changes that the service makes on its own. */
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

/** One attempt: changes the record as it was read; undefined if another writer was faster, or `expect` doesn't hold. */
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

/** Repeats a conditional write, from its read on, until its answer isn't undefined. Throws as `change`. */
export async function whileOvertaken<Result>(
  attempt: () => Promise<Result | undefined>,
  giveUp: () => Error = refuse,
): Promise<Result> {
  for (let overtaken = 0; overtaken < MAX_ATTEMPTS; overtaken++) {
    if (overtaken > 1) await sleep(Math.random() * backOffDelay(overtaken, FIRST_WAIT_MS, LONGEST_WAIT_MS));
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw giveUp();
}
