/**
 * Records: small JSON documents under a two-part key, like in DynamoDB (one table, one index). Every write
 * affects a single record, and may have an expectation that is checked in the same atomic step. There are no
 * joins, no transactions over several records, and no scans. Limits for every adapter: a record has at most
 * 400 KB as JSON; `partition` has at most 2048 bytes and `sort` at most 1024 bytes of UTF-8, and neither is
 * empty.
 */
export interface Records {
  get(key: RecordKey): Promise<RecordValue | undefined>;
  /** Returns the existing records for any number of keys, in no particular order. */
  getMany(keys: RecordKey[]): Promise<StoredRecord[]>;
  /** Writes the whole record. Throws ExpectationFailed without writing anything. */
  put(record: StoredRecord, expect?: Expectation): Promise<void>;
  /**
   * Changes some fields of an existing record, and returns the changed record. Throws ExpectationFailed, also
   * if the record doesn't exist.
   */
  update(key: RecordKey, change: RecordChange, expect?: FieldExpectation): Promise<RecordValue>;
  /** Removes the record; returns whether it existed. Throws ExpectationFailed. */
  delete(key: RecordKey, expect?: FieldExpectation): Promise<boolean>;
  /**
   * Writes any number of records unconditionally. They aren't atomic together, so the caller must be able to
   * repeat them.
   */
  putMany(records: StoredRecord[]): Promise<void>;
  deleteMany(keys: RecordKey[]): Promise<void>;
  /**
   * Adds to any number of records: each in one atomic step, and all in one write if the store supports that.
   * Returns each changed record, or why nothing was added to it. If this throws, nothing was added to any
   * record.
   */
  addMany(additions: Addition[]): Promise<(RecordValue | Error)[]>;
  query(query: RecordQuery): Promise<RecordPage>;
  /** Returns the number of records that a query finds on all its pages. */
  count(query: Omit<RecordQuery, 'limit' | 'cursor' | 'order'>): Promise<number>;
}

export interface RecordKey {
  partition: string;
  sort: string;
}

/** Plain JSON: no undefined, no dates, no binary. */
export type RecordValue = Record<string, unknown>;

export interface StoredRecord {
  key: RecordKey;
  /** The record's key in the only secondary index; absent if the record isn't in it. */
  index?: RecordKey | undefined;
  /**
   * When the record expires, in seconds since the epoch. From then on, it is never returned; it is deleted
   * some time later.
   */
  expiresAt?: number | undefined;
  value: RecordValue;
}

/** The condition of a write: the record is absent or present, or has certain field values. */
export type Expectation = 'absent' | 'present' | FieldExpectation;

/** Each named field must equal the value, be missing (`undefined`), or be below a bound. The record must exist. */
export type FieldExpectation = Record<
  string,
  string | number | boolean | null | undefined | { lessThan: string | number }
>;

export interface RecordChange {
  set?: RecordValue;
  /**
   * Adds integers to numbers, atomically. A missing field counts as 0. Each field may appear in only one of
   * `set`, `add`, and `remove`.
   */
  add?: Record<string, number>;
  remove?: string[];
  /** Moves the record in the index (null removes it). */
  index?: RecordKey | null;
  expiresAt?: number;
}

/** Integers to add to a record's numbers, and the initial record if it doesn't exist. */
export interface Addition {
  record: StoredRecord;
  add: Record<string, number>;
}

export interface RecordQuery {
  partition: string;
  /** Queries the secondary index instead of the primary key. */
  byIndex?: boolean;
  sortPrefix?: string;
  /** Inclusive bounds on the sort key; not together with sortPrefix. */
  from?: string;
  to?: string;
  /** The order of sort keys as UTF-8 bytes; default ascending. */
  order?: 'ascending' | 'descending';
  /** Maximum number of records on the page; default 1000. */
  limit?: number;
  /** The cursor from the previous page; an invalid one throws InvalidInput. */
  cursor?: string;
}

export interface RecordPage {
  records: StoredRecord[];
  /** Present if there may be more records. */
  cursor?: string;
}

/** Thrown when a conditional write fails, because the record no longer matches. */
export class ExpectationFailed extends Error {
  constructor(key: RecordKey) {
    super(`expectation failed on ${key.partition}/${key.sort}`);
    this.name = 'ExpectationFailed';
  }
}

/**
 * Returns the result of a write. Undefined if its expectation wasn't met, because another writer was faster.
 */
export async function ifExpected<Answer>(write: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ExpectationFailed) return undefined;
    throw error;
  }
}

/** Returns whether a write succeeded, for a write without a useful result. */
export async function wasExpected(write: Promise<unknown>): Promise<boolean> {
  return (await ifExpected(write.then(() => true))) ?? false;
}
