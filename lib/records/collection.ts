import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import { shareThread } from '../async/share-thread.ts';
import {
  type Addition,
  type FieldExpectation,
  ifExpected,
  type RecordChange,
  type RecordKey,
  type RecordQuery,
  type Records,
  type RecordValue,
  type StoredRecord,
  wasExpected,
} from '../ports/records.ts';
import { pagesOf } from './page.ts';
import { readEach, readOne } from './readable.ts';
import { carryUnknown, restoreUnknown, withUnknown } from './unknown-fields.ts';
import { type Upgrade, upgrade, VERSION_FIELD, withoutVersion } from './versions.ts';

/** The record kinds that the loaded modules declare, by name: for tests that must know all of them. */
export const declaredKinds = new Map<string, Collection<Record<string, unknown>, never>>();

interface Definition<Schema extends z.ZodObject, Id> {
  /** The unique name of the record kind, used when a record is quarantined. */
  kind: string;
  schema: Schema;
  /** Returns the key of the record with this ID; also accepts the record itself. */
  key: (id: Id) => RecordKey;
  /** Returns the record's key in the secondary index, if it has one. */
  index?: (record: z.infer<Schema>) => RecordKey | undefined;
  /** Returns when the record expires, in seconds since the epoch. */
  expiresAt?: (record: z.infer<Schema>) => number | undefined;
  /** One upgrade for each version after the first; docs/architecture/records.md explains how to change a record. */
  upgrades?: Upgrade[];
}

/**
 * Declares a kind of record that an area stores: its schema and its keys. The collection is plain data; the
 * store is an argument of each call. Reads are parsed by the schema, so a field that is added later must be
 * optional or have a default. Unknown fields are preserved if a record is changed, or copied by `...` and put
 * back; a record built from scratch has none.
 */
export function collection<Schema extends z.ZodObject, Id>(
  definition: Definition<Schema, Id>,
): Collection<z.infer<Schema>, Id> {
  type Item = z.infer<Schema>;
  const { kind, key } = definition;
  const { read, store, derived } = translation(definition);
  const readRecord = ({ value }: StoredRecord) => read(value);
  // A role's permissions protect partitions of the table, but not of the index, so a record from another
  // partition that is listed there isn't trusted.
  const readListed = (found: StoredRecord) => {
    const item = readRecord(found);
    if (!isDeepStrictEqual(key(item as unknown as Id), found.key)) throw new Error('it is under another key');
    return item;
  };
  const readerOf = ({ byIndex = false }: Pick<RecordQuery, 'byIndex'>) => (byIndex ? readListed : readRecord);
  const declared: Collection<Item, Id> = {
    key,
    async get(records, id) {
      const value = await records.get(key(id));
      return value && readOne(kind, key(id), () => read(value));
    },
    async getMany(records, ids) {
      return readEach(kind, await records.getMany(ids.map(key)), readRecord);
    },
    create: (records, item) => wasExpected(records.put(store(item), 'absent')),
    put: (records, item, expect) => wasExpected(records.put(store(item), expect)),
    async update(records, id, change, expect) {
      const value = await records.update(key(id), { ...change, set: withUnknown(change.set) }, expect);
      return readOne(kind, key(id), () => read(value));
    },
    patch(records, before, fields, expect) {
      const change = { set: fields, ...derived(before, { ...before, ...fields }) };
      return ifExpected(declared.update(records, before as unknown as Id, change, expect));
    },
    delete: (records, id, expect) => records.delete(key(id), expect),
    putMany: (records, items) => records.putMany(items.map(store)),
    deleteMany: (records, ids) => records.deleteMany(ids.map(key)),
    addition: (item, add) => ({ record: store(item), add }),
    read: (value) => read(value),
    async list(records, query) {
      const page = await records.query(query);
      return { items: readEach(kind, page.records, readerOf(query)), cursor: page.cursor };
    },
    async *all(records, query) {
      const share = shareThread();
      for await (const page of pagesOf((cursor) => records.query({ ...query, cursor })))
        for (const record of page.records) {
          await share();
          yield* readEach(kind, [record], readerOf(query));
        }
    },
  };
  declare(kind, declared);
  return declared;
}

/** Translates between the stored form and the form that the code uses. */
function translation<Schema extends z.ZodObject, Id>({
  schema,
  key,
  index,
  expiresAt,
  upgrades = [],
}: Definition<Schema, Id>) {
  type Item = z.infer<Schema>;
  const version = upgrades.length + 1;
  return {
    read(value: RecordValue): Item {
      const present = upgrade(value, upgrades);
      const item = schema.parse(present);
      carryUnknown(withoutVersion(present, version), item);
      return item;
    },
    store(item: Item): StoredRecord {
      const value: RecordValue = schema.parse(item);
      restoreUnknown(item, value);
      return {
        key: key(item as unknown as Id),
        index: index?.(item),
        expiresAt: expiresAt?.(item),
        value: { [VERSION_FIELD]: version, ...value },
      };
    },
    /** Returns the index key and expiry if they change with a record's fields. */
    derived(before: Item, after: Item): Pick<RecordChange, 'index' | 'expiresAt'> {
      const place = index?.(after);
      const expiry = expiresAt?.(after);
      return {
        ...(!isDeepStrictEqual(place, index?.(before)) && { index: place ?? null }),
        ...(expiry !== undefined && expiry !== expiresAt?.(before) && { expiresAt: expiry }),
      };
    },
  };
}

function declare(kind: string, declared: object): void {
  if (declaredKinds.has(kind)) throw new Error(`two kinds of records are called ${kind}`);
  declaredKinds.set(kind, declared as Collection<Record<string, unknown>, never>);
}

export interface Collection<Item, Id> {
  key(id: Id): RecordKey;
  /** Throws UnreadableRecord. */
  get(records: Records, id: Id): Promise<Item | undefined>;
  /** Skips and counts unreadable records, as lists do. */
  getMany(records: Records, ids: Id[]): Promise<Item[]>;
  /** Returns false if the record already exists. */
  create(records: Records, item: Item): Promise<boolean>;
  /** Returns false if the expectation wasn't met. */
  put(records: Records, item: Item, expect?: FieldExpectation): Promise<boolean>;
  /** Returns the changed item. Throws ExpectationFailed, also if the item doesn't exist. */
  update(records: Records, id: Id, change: RecordChange, expect?: FieldExpectation): Promise<Item>;
  /**
   * Sets fields of a record that was read, with its index key and its expiry if they change. Doesn't write
   * unchanged fields, because the stored ones may be newer. Returns the changed item; undefined if the
   * expectation wasn't met.
   */
  patch(
    records: Records,
    before: Item,
    fields: Partial<Item>,
    expect: FieldExpectation,
  ): Promise<Item | undefined>;
  /** Returns whether the record existed. Throws ExpectationFailed. */
  delete(records: Records, id: Id, expect?: FieldExpectation): Promise<boolean>;
  putMany(records: Records, items: Item[]): Promise<void>;
  deleteMany(records: Records, ids: Id[]): Promise<void>;
  /** Returns an addition for the store's addMany; `item` is the initial record. */
  addition(item: Item, add: Addition['add']): Addition;
  /** Parses the result of addMany for such an addition. Throws the schema's errors. */
  read(value: RecordValue): Item;
  /** Returns one page. */
  list(records: Records, query: RecordQuery): Promise<{ items: Item[]; cursor?: string }>;
  /** Yields every item of all pages, read as they are consumed. */
  all(records: Records, query: Omit<RecordQuery, 'cursor'>): AsyncGenerator<Item>;
}
