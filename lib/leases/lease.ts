import { randomUUID } from 'node:crypto';
import { type FieldExpectation, wasExpected } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import type { Collection } from '../records/collection.ts';

/** Which fields of a kind of record are its lease. Their names and formats are older than this area, and stay. */
interface LeaseFields<Item, Id> {
  collection: Collection<Item, Id>;
  /** A holder that is silent for this long counts as dead. */
  ms: number;
  /** The field with the holder, a random ID. */
  owner: keyof Item & string;
  /** The field with the end, as a timestamp or in milliseconds since the epoch. */
  until: keyof Item & string;
  format?: 'timestamp' | 'milliseconds';
}

/**
 * A lease: the exclusive right to work on something until a moment, which its holder keeps moving on. Every write is conditional,
 * so one of several processes gets it, and counts from before the request was sent, so that the holder never believes in more than
 * the record says.
 */
export interface Leases<Item> {
  ms: number;
  /** When the lease of the record ends, in milliseconds since the epoch. */
  endOf(item: Item): number;
  isHeld(item: Item, clock: TimedRecords['clock']): boolean;
  /** Creates the record with a lease of `owner`, or with a free one (null); undefined if there is a record. */
  create(ports: TimedRecords, item: Item, owner?: string | null): Promise<Item | undefined>;
  /**
   * Takes over the lease of a record as it was read, and sets other fields with it. Undefined if the record's lease has changed since
   * then: the caller has looked whether it was over.
   */
  take(ports: TimedRecords, read: Item, more?: Change<Item>): Promise<Item | undefined>;
  /** Creates the record, or takes its lease over if that is over; undefined if it's held. */
  acquire(ports: TimedRecords, item: Item): Promise<Item | undefined>;
  /**
   * Moves the end on; answers with it, in milliseconds since the epoch. Undefined once the lease is lost: it belongs to another, or
   * `expect` doesn't hold.
   */
  renew(ports: TimedRecords, mine: Item, expect?: FieldExpectation): Promise<number | undefined>;
  /** Deletes the record; does nothing if it belongs to another. */
  remove(ports: TimedRecords, mine: Item): Promise<boolean>;
}

interface Change<Item> {
  set?: Partial<Item>;
  /** How long the lease lasts, if not for `ms`. */
  ms?: number;
  /** Its holder, if not a new one. */
  owner?: string | null;
  expect?: FieldExpectation;
}

export function leasesOf<Item extends object, Id>(fields: LeaseFields<Item, Id>): Leases<Item> {
  const { collection, ms, owner, until, format = 'timestamp' } = fields;
  const stored = (end: number) => (format === 'timestamp' ? new Date(end).toISOString() : end);
  const endOf = (item: Item) => {
    const end = item[until];
    return typeof end === 'number' ? end : Date.parse(String(end));
  };
  const isHeld = (item: Item, clock: TimedRecords['clock']) =>
    Boolean(item[owner]) && endOf(item) > clock.now();
  const leased = (holder: string | null, end: number) =>
    ({ [owner]: holder, [until]: stored(end) }) as Partial<Item>;

  const leases: Leases<Item> = {
    ms,
    endOf,
    isHeld,
    async create({ records, clock }, item, holder = randomUUID()) {
      const mine = { ...item, ...leased(holder, clock.now() + ms) };
      return (await collection.create(records, mine)) ? mine : undefined;
    },
    async take({ records, clock }, read, { set, ms: lasts = ms, owner: holder = randomUUID(), expect } = {}) {
      const change = { ...set, ...leased(holder, clock.now() + lasts) };
      const takeFrom = (former: unknown) => {
        const unchanged = { [owner]: former, [until]: read[until] } as FieldExpectation;
        return collection.patch(records, read, change, { ...unchanged, ...expect });
      };
      const taken = await takeFrom(read[owner]);
      // An earlier release may have stored no holder, which reads as null.
      return taken ?? (read[owner] === null ? takeFrom(undefined) : undefined);
    },
    async acquire(ports, item) {
      const created = await leases.create(ports, item);
      if (created !== undefined) return created;
      const there = await collection.get(ports.records, item as unknown as Id);
      if (there === undefined) return leases.acquire(ports, item); // removed just now
      return isHeld(there, ports.clock) ? undefined : leases.take(ports, there, { set: item });
    },
    async renew({ records, clock }, mine, expect = {}) {
      const end = clock.now() + ms;
      const isMine = { [owner]: mine[owner], ...expect } as FieldExpectation;
      // Only later than it is: a renewal that hung and comes late takes nothing back.
      const isLater = { [until]: { lessThan: stored(end) } };
      const later = { [until]: stored(end) } as Partial<Item>;
      if ((await collection.patch(records, mine, later, { ...isMine, ...isLater })) !== undefined) return end;
      const there = await collection.get(records, mine as unknown as Id);
      return there !== undefined && holds(there, isMine) ? endOf(there) : undefined;
    },
    remove: ({ records }, mine) =>
      wasExpected(
        collection.delete(records, mine as unknown as Id, { [owner]: mine[owner] } as FieldExpectation),
      ),
  };
  return leases;
}

function holds(item: object, expect: FieldExpectation): boolean {
  return Object.entries(expect).every(([name, value]) => (item as Record<string, unknown>)[name] === value);
}
