import { randomUUID } from 'node:crypto';
import { type FieldExpectation, wasExpected } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import type { Collection } from '../records/collection.ts';
import { type Held, type HoldOptions, hold } from './hold.ts';

/** The owner field of a free lease. */
const NO_OWNER = '';

/**
 * The fields of a record that form its lease. Their names and formats are older than this area, and can't
 * change.
 */
interface LeaseFields<Item, Id> {
  collection: Collection<Item, Id>;
  /** Milliseconds of silence after which a holder counts as dead. */
  ms: number;
  /** The field that contains the holder, a random ID. */
  owner: keyof Item & string;
  /** The field that contains the lease's end, as a timestamp or in milliseconds since the epoch. */
  until: keyof Item & string;
  format?: 'timestamp' | 'milliseconds';
}

/**
 * A lease: the exclusive right to work on something until a time that its holder keeps extending. Every write
 * is conditional, so only one process gets the lease. Its time counts from before the request was sent, so
 * the holder never assumes more time than the record states.
 */
export interface Leases<Item> {
  ms: number;
  /** Returns the end of the record's lease, in milliseconds since the epoch. */
  endOf(item: Item): number;
  isHeld(item: Item, clock: TimedRecords['clock']): boolean;
  /**
   * Creates the record with a lease of `owner`, or with a free lease (null). Undefined if the record exists.
   */
  create(ports: TimedRecords, item: Item, owner?: string | null): Promise<Item | undefined>;
  /**
   * Takes over the lease of a record, and sets other fields at the same time. The caller has checked that the
   * lease was over when it read the record. Undefined if the record has changed since.
   */
  take(ports: TimedRecords, read: Item, more?: Change<Item>): Promise<Item | undefined>;
  /** Creates the record, or takes over an expired lease. Undefined if the lease is held. */
  acquire(ports: TimedRecords, item: Item): Promise<Item | undefined>;
  /**
   * Extends the lease. Returns its end in milliseconds since the epoch. Undefined if the lease is lost,
   * because another process has it or `expect` isn't met.
   */
  renew(ports: TimedRecords, mine: Item, expect?: FieldExpectation): Promise<number | undefined>;
  /**
   * Frees the lease, or gives it to `owner`, until the end of `ms`. Returns false if another process already
   * has it.
   */
  leave(ports: TimedRecords, mine: Item, change: Change<Item>): Promise<boolean>;
  /** Holds the lease until `stop`. */
  hold(ports: TimedRecords, mine: Item, how: HoldOptions & { expect?: FieldExpectation }): Held;
  /**
   * Deletes the record. Returns false, without deleting it, if another process has the lease or `expect`
   * isn't met.
   */
  remove(ports: TimedRecords, mine: Item, expect?: FieldExpectation): Promise<boolean>;
}

interface Change<Item> {
  set?: Partial<Item>;
  /** The lease's duration in milliseconds, if it differs from the default `ms`. */
  ms?: number;
  /** The lease's holder, if it isn't a new one. */
  owner?: string | null;
  expect?: FieldExpectation;
}

export function leasesOf<Item extends object, Id>(kind: LeaseFields<Item, Id>): Leases<Item> {
  const { collection, ms } = kind;
  const { endOf, isHeld, held, heldBy, asRead, isSame } = stored(kind);
  const readOwn = async ({ records }: TimedRecords, mine: Item) => {
    const there = await collection.get(records, mine as unknown as Id);
    return there !== undefined && isSame(there, mine) ? there : undefined;
  };
  const leases: Leases<Item> = {
    ms,
    endOf,
    isHeld,
    async create(ports, item, owner = randomUUID()) {
      const mine = { ...item, ...held(owner, ports.clock.now() + ms) };
      return (await collection.create(ports.records, mine)) ? mine : readOwn(ports, mine);
    },
    async take(ports, read, { set, ms: lasts = ms, owner = randomUUID(), expect } = {}) {
      const { records, clock } = ports;
      const fields = { ...set, ...held(owner, clock.now() + lasts) };
      const taken = await collection.patch(records, read, fields, { ...asRead(read), ...expect });
      return taken ?? readOwn(ports, { ...read, ...fields });
    },
    async acquire(ports, item) {
      const mine = { ...item, ...held(randomUUID(), ports.clock.now() + ms) };
      if (await collection.create(ports.records, mine)) return mine;
      const there = await collection.get(ports.records, item as unknown as Id);
      if (there === undefined) return leases.acquire(ports, item); // the record was just removed
      if (isSame(there, mine)) return there;
      return isHeld(there, ports.clock) ? undefined : leases.take(ports, there, { set: item });
    },
    renew: (ports, mine, expect) => renewLease(kind, ports, mine, expect),
    async leave({ records, clock }, mine, { set, ms: lasts = ms, owner = NO_OWNER, expect }) {
      const fields = { ...set, ...held(owner, clock.now() + lasts) };
      return (await collection.patch(records, mine, fields, { ...heldBy(mine), ...expect })) !== undefined;
    },
    hold(ports, mine, { expect, ...how }) {
      const renew = () => leases.renew(ports, mine, expect);
      return hold({ clock: ports.clock, ms, until: endOf(mine), renew, ...how });
    },
    remove: ({ records }, mine, expect) =>
      wasExpected(collection.delete(records, mine as unknown as Id, { ...heldBy(mine), ...expect })),
  };
  return leases;
}

/**
 * Renews a lease. Only moves its end later, so that a delayed renewal doesn't shorten it. An end that is
 * later than any renewal explains was written before the clock was set back, and is replaced; otherwise, it
 * would outlast its holder by that difference.
 */
async function renewLease<Item extends object, Id>(
  kind: LeaseFields<Item, Id>,
  { records, clock }: TimedRecords,
  mine: Item,
  expect?: FieldExpectation,
): Promise<number | undefined> {
  const { collection, ms } = kind;
  const { endOf, ending, heldBy, asRead } = stored(kind);
  const end = clock.now() + ms;
  const isMine = { ...heldBy(mine), ...expect };
  const { fields, isLater } = ending(end);
  if ((await collection.patch(records, mine, fields, { ...isMine, ...isLater })) !== undefined) return end;
  const there = await collection.get(records, mine as unknown as Id);
  if (there === undefined || !meets(there, isMine)) return undefined;
  if (endOf(there) <= clock.now() + 2 * ms) return endOf(there);
  const corrected = ending(clock.now() + ms).fields;
  await collection.patch(records, there, corrected, { ...isMine, ...asRead(there) });
  return renewLease(kind, { records, clock }, mine, expect);
}

/** Converts a lease to and from the record's fields. */
function stored<Item, Id>({ owner, until, format = 'timestamp' }: LeaseFields<Item, Id>) {
  const endAt = (end: number) => (format === 'timestamp' ? new Date(end).toISOString() : end);
  const endOf = (item: Item) => {
    const end = item[until];
    return typeof end === 'number' ? end : Date.parse(String(end));
  };
  return {
    endOf,
    isHeld: (item: Item, clock: TimedRecords['clock']) => Boolean(item[owner]) && endOf(item) > clock.now(),
    held: (holder: string | null, end: number) => ({ [owner]: holder, [until]: endAt(end) }) as Partial<Item>,
    ending: (end: number) => ({
      fields: { [until]: endAt(end) } as Partial<Item>,
      isLater: { [until]: { lessThan: endAt(end) } } as FieldExpectation,
    }),
    heldBy: (item: Item) => ({ [owner]: item[owner] }) as FieldExpectation,
    asRead: (item: Item) => ({ [owner]: item[owner], [until]: item[until] }) as FieldExpectation,
    /**
     * If the response to a write is lost, the store's client repeats the write, which then fails because its
     * result already exists.
     */
    isSame: (there: Item, mine: Item) =>
      Boolean(mine[owner]) && there[owner] === mine[owner] && there[until] === mine[until],
  };
}

function meets(item: object, expect: FieldExpectation): boolean {
  return Object.entries(expect).every(([name, value]) => (item as Record<string, unknown>)[name] === value);
}
