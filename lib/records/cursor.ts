import { createHash } from 'node:crypto';
import * as z from 'zod';
import { InvalidInput } from '../errors.ts';
import type { RecordKey, RecordQuery, StoredRecord } from '../ports/records.ts';

/** The last record of a page, after which the next page starts. */
export interface RecordPlace {
  key: RecordKey;
  /** Present only for queries of the index. */
  indexSort?: string;
}

/** A cursor names its list, so that a cursor from another list is detected. */
export function makeCursor(query: RecordQuery, { key, index }: StoredRecord): string {
  return makePlaceCursor(
    listOf(query),
    query.byIndex ? [index?.sort ?? '', key.partition, key.sort] : [key.sort],
  );
}

/** Returns the cursor for a place in a list. */
export function makePlaceCursor(list: unknown, place: string[]): string {
  return Buffer.from(JSON.stringify([digestOf(list), ...place])).toString('base64url');
}

/** Throws InvalidInput if the query's cursor is from another list. */
export function parseCursor(query: RecordQuery): RecordPlace | undefined {
  if (query.cursor === undefined) return undefined;
  const place = readPlaceCursor(listOf(query), query.cursor);
  if (query.byIndex) {
    const [indexSort, partition, sort] = place;
    if (indexSort && partition && sort) return { indexSort, key: { partition, sort } };
  } else {
    const [sort] = place;
    if (sort && place.length === 1) return { key: { partition: query.partition, sort } };
  }
  throw invalidCursor();
}

/** In a list whose cursors are IDs, throws InvalidInput for a cursor that isn't one. */
export function requireIdCursor(cursor: string | undefined): void {
  if (cursor !== undefined && !z.uuid().safeParse(cursor).success) throw invalidCursor();
}

/** The error for an invalid cursor, with the same message for every list. */
export function invalidCursor(options?: ErrorOptions): InvalidInput {
  return new InvalidInput('invalid_cursor', "cursor isn't a cursor of this list.", {
    ...options,
    field: 'cursor',
  });
}

/** Returns the place in a list. Throws InvalidInput for a cursor that isn't one of this list. */
export function readPlaceCursor(list: unknown, cursor: string): string[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(parsed) && parsed[0] === digestOf(list)) return parsed.slice(1).map(String);
  } catch {
    // Text that isn't base64url of JSON is rejected below like any other invalid cursor.
  }
  throw invalidCursor();
}

function listOf({ byIndex, partition, sortPrefix, from, to }: RecordQuery): unknown {
  return [byIndex ? 'index' : 'key', partition, sortPrefix ?? '', from ?? '', to ?? null];
}

function digestOf(list: unknown): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 12);
}
