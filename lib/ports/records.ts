/**
 * Records: small JSON documents under a two-part key, as DynamoDB keeps them (one table, one index).
 * Every write touches a single record and may carry an expectation, which is checked and applied in one atomic step.
 * There are no joins, no transactions over several records and no scans.
 *
 * Limits that hold on both sides: a record is at most 400 KB as JSON; `partition` at most 2048 bytes and
 * `sort` at most 1024 bytes of UTF-8, both at least 1 character.
 */
export interface Records {
  get(key: RecordKey): Promise<RecordValue | undefined>;
  /** The records that exist, in no particular order; any number of keys. */
  getMany(keys: RecordKey[]): Promise<StoredRecord[]>;
  /** Writes the whole record. Throws ExpectationFailed, and then nothing was written. */
  put(record: StoredRecord, expect?: Expectation): Promise<void>;
  /**
   * Changes some fields of a record that exists; answers the record as it is afterwards. Throws ExpectationFailed (also when
   * the record is absent).
   */
  update(key: RecordKey, change: RecordChange, expect?: FieldExpectation): Promise<RecordValue>;
  /** Removes the record; answers whether it was there. Throws ExpectationFailed. */
  delete(key: RecordKey, expect?: FieldExpectation): Promise<boolean>;
  /** Unconditional writes of any number of records; not atomic together, so the caller must be able to repeat it. */
  putMany(records: StoredRecord[]): Promise<void>;
  deleteMany(keys: RecordKey[]): Promise<void>;
  /**
   * Adds to any number of records: each in one atomic step, all in one write where the store has such. Answers each record as
   * it is afterwards, or why nothing was added to it. When it throws, nothing was added to any.
   */
  addMany(additions: Addition[]): Promise<(RecordValue | Error)[]>;
  query(query: RecordQuery): Promise<RecordPage>;
  /** How many records a query would find over all its pages. */
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
  /** The record's place in the one secondary index; absent = not in it. */
  index?: RecordKey | undefined;
  /** Seconds since the epoch after which the record is gone: never returned from then on, deleted some time later. */
  expiresAt?: number | undefined;
  value: RecordValue;
}

/** What must hold for a write: nothing there yet, something there, or certain fields with certain values. */
export type Expectation = 'absent' | 'present' | FieldExpectation;

/** Each named field must equal the value, be missing (`undefined`), or be below a bound. The record must exist. */
export type FieldExpectation = Record<
  string,
  string | number | boolean | null | undefined | { lessThan: string | number }
>;

export interface RecordChange {
  set?: RecordValue;
  /** Adds integers to numbers, atomically; a missing field counts as 0. A field stands in one of the three only. */
  add?: Record<string, number>;
  remove?: string[];
  /** Moves the record in the index (null takes it out). */
  index?: RecordKey | null;
  expiresAt?: number;
}

/** Integers for numbers of a record, and the record to begin with where there is none. */
export interface Addition {
  record: StoredRecord;
  add: Record<string, number>;
}

export interface RecordQuery {
  partition: string;
  /** Query the secondary index instead of the primary key. */
  byIndex?: boolean;
  sortPrefix?: string;
  /** Inclusive bounds on the sort key; not together with sortPrefix. */
  from?: string;
  to?: string;
  /** The order of sort keys as UTF-8 bytes; default ascending. */
  order?: 'ascending' | 'descending';
  /** The most records on the page; default 1000. */
  limit?: number;
  /** The cursor of the page before. An invalid one throws InvalidInput. */
  cursor?: string;
}

export interface RecordPage {
  records: StoredRecord[];
  /** Present when there may be more. */
  cursor?: string;
}

/** A write's expectation did not hold. */
export class ExpectationFailed extends Error {
  constructor(key: RecordKey) {
    super(`expectation failed on ${key.partition}/${key.sort}`);
    this.name = 'ExpectationFailed';
  }
}

/** What a write answers; undefined when its expectation did not hold: another was faster. */
export async function ifExpected<Answer>(write: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ExpectationFailed) return undefined;
    throw error;
  }
}

/** The same for a write that answers nothing of interest: whether it was done. */
export async function wasExpected(write: Promise<unknown>): Promise<boolean> {
  return (await ifExpected(write.then(() => true))) ?? false;
}
