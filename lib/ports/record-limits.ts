import type { RecordChange, RecordKey, RecordQuery, StoredRecord } from './records.ts';

/**
 * The limits of lib/ports/records.ts. Every adapter has the same ones, and checks them before it sends or
 * writes anything.
 */
const MAX_RECORD_BYTES = 400 * 1024;
const MAX_PARTITION_BYTES = 2048;
const MAX_SORT_BYTES = 1024;
const DEFAULT_PAGE = 1000;

export function checkKey({ partition, sort }: RecordKey): void {
  checkPartition(partition);
  if (sort === '') throw new RangeError('a sort key has at least 1 character');
  checkSort(sort);
}

/** Checks the keys and the size; returns the value as JSON. */
export function checkRecord({ key, index, value }: StoredRecord): string {
  checkKey(key);
  if (index) checkKey(index);
  const json = JSON.stringify(value);
  if (Buffer.byteLength(json) > MAX_RECORD_BYTES) throw recordTooLarge();
  return json;
}

export function recordTooLarge(options?: ErrorOptions): RangeError {
  return new RangeError('a record is at most 400 KB', options);
}

export function notAddable(options?: ErrorOptions): TypeError {
  return new TypeError('only numbers can be added to', options);
}

/** Throws for two changes of one field, which DynamoDB rejects because their order would be unclear. */
export function checkChange({ set = {}, add = {}, remove = [], index }: RecordChange): void {
  const fields = [...Object.keys(set), ...Object.keys(add), ...new Set(remove)];
  if (new Set(fields).size < fields.length) throw new TypeError('a change names a field once');
  if (index) checkKey(index);
}

export function checkQuery({ partition, sortPrefix = '', from, to }: RecordQuery): void {
  checkPartition(partition);
  if (sortPrefix !== '' && (from ?? to) !== undefined) throw new TypeError('sortPrefix excludes from and to');
  checkSort(from ?? '');
  checkSort(to ?? '');
}

/** Returns the page's limit. */
export function checkLimit({ limit = DEFAULT_PAGE }: RecordQuery): number {
  if (!Number.isInteger(limit) || limit < 1) throw new RangeError('limit: at least 1');
  return limit;
}

/** Returns whether no sort key can match the query, because DynamoDB rejects such bounds. */
export function isImpossible({ sortPrefix = '', from = '', to }: RecordQuery): boolean {
  if (Buffer.byteLength(sortPrefix) > MAX_SORT_BYTES) return true;
  return to !== undefined && (to === '' || Buffer.compare(Buffer.from(from), Buffer.from(to)) > 0);
}

function checkPartition(partition: string): void {
  if (partition === '' || Buffer.byteLength(partition) > MAX_PARTITION_BYTES) {
    throw new RangeError(`a partition has 1 to ${MAX_PARTITION_BYTES} bytes`);
  }
  checkUnicode(partition);
}

function checkSort(sort: string): void {
  if (Buffer.byteLength(sort) > MAX_SORT_BYTES) {
    throw new RangeError(`a sort key has at most ${MAX_SORT_BYTES} bytes`);
  }
  checkUnicode(sort);
}

/** Throws for a lone surrogate, because UTF-8 can't encode it, so two such keys could become the same. */
function checkUnicode(text: string): void {
  if (!text.isWellFormed()) throw new RangeError('a key is well-formed Unicode');
}
