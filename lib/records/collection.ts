import type * as z from 'zod';
import {
  type FieldExpectation,
  type RecordChange,
  type RecordKey,
  type RecordQuery,
  type Records,
  type StoredRecord,
  wasExpected,
} from '../ports/records.ts';

/**
 * Declares what an area keeps in the records store: a schema and where a record lies. The collection is plain data;
 * the store comes with each call. Reads are parsed by the schema, so a field that is added later needs a default.
 */
export function collection<Schema extends z.ZodObject, Id>(definition: {
  schema: Schema;
  /** Where the record with this id lies; also accepts the record itself. */
  key: (id: Id) => RecordKey;
  /** Its place in the secondary index, if it has one. */
  index?: (record: z.infer<Schema>) => RecordKey | undefined;
  /** When it goes away, in seconds since the epoch. */
  expiresAt?: (record: z.infer<Schema>) => number | undefined;
}): Collection<z.infer<Schema>, Id> {
  type Item = z.infer<Schema>;
  const parse = (value: unknown): Item => definition.schema.parse(value);
  const store = (item: Item): StoredRecord => ({
    key: definition.key(item as unknown as Id),
    index: definition.index?.(item),
    expiresAt: definition.expiresAt?.(item),
    value: definition.schema.parse(item),
  });
  return {
    key: definition.key,
    async get(records, id) {
      const value = await records.get(definition.key(id));
      return value === undefined ? undefined : parse(value);
    },
    async getMany(records, ids) {
      return (await records.getMany(ids.map(definition.key))).map((record) => parse(record.value));
    },
    create: (records, item) => wasExpected(records.put(store(item), 'absent')),
    put: (records, item, expect) => wasExpected(records.put(store(item), expect)),
    async update(records, id, change, expect) {
      return parse(await records.update(definition.key(id), change, expect));
    },
    delete: (records, id, expect) => records.delete(definition.key(id), expect),
    putMany: (records, items) => records.putMany(items.map(store)),
    deleteMany: (records, ids) => records.deleteMany(ids.map(definition.key)),
    async list(records, query) {
      const page = await records.query(query);
      const items = page.records.map((record) => parse(record.value));
      return { items, cursor: page.cursor };
    },
    async *all(records, query) {
      let cursor: string | undefined;
      do {
        const page = await records.query({ ...query, cursor });
        for (const record of page.records) yield parse(record.value);
        cursor = page.cursor;
      } while (cursor !== undefined);
    },
  };
}

export interface Collection<Item, Id> {
  key(id: Id): RecordKey;
  get(records: Records, id: Id): Promise<Item | undefined>;
  getMany(records: Records, ids: Id[]): Promise<Item[]>;
  /** False when there is one already. */
  create(records: Records, item: Item): Promise<boolean>;
  /** False when the expectation did not hold. */
  put(records: Records, item: Item, expect?: FieldExpectation): Promise<boolean>;
  /** The item afterwards. Throws ExpectationFailed, also when there is none. */
  update(records: Records, id: Id, change: RecordChange, expect?: FieldExpectation): Promise<Item>;
  /** Whether it was there. Throws ExpectationFailed. */
  delete(records: Records, id: Id, expect?: FieldExpectation): Promise<boolean>;
  putMany(records: Records, items: Item[]): Promise<void>;
  deleteMany(records: Records, ids: Id[]): Promise<void>;
  /** One page. */
  list(records: Records, query: RecordQuery): Promise<{ items: Item[]; cursor?: string }>;
  /** Every item over all pages, read as they are consumed. */
  all(records: Records, query: Omit<RecordQuery, 'cursor'>): AsyncGenerator<Item>;
}
