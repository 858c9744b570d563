import type * as z from 'zod';
import type { RecordKey, RecordValue } from '../ports/records.ts';
import { report } from '../telemetry/events.ts';

/**
 * A record exists but can't be read as its kind. That differs from a missing record, because a caller that
 * confused the two would overwrite it.
 */
export class UnreadableRecord extends Error {
  constructor(kind: string, options: ErrorOptions) {
    super(`a record of the kind ${kind} cannot be read`, options);
    this.name = 'UnreadableRecord';
  }
}

/**
 * Milliseconds between two log entries of a process about an unreadable record, because lists are read every
 * minute.
 */
const SAY_AGAIN_MS = 60 * 60_000;
const MAX_REMEMBERED = 1000;
const said = new Map<string, number>();

/**
 * Returns the readable records. Quarantines and counts the others, so that one of them doesn't make the whole
 * list unusable.
 */
export function readEach<Found extends { key: RecordKey; value: RecordValue }, Item>(
  kind: string,
  found: Found[],
  read: (record: Found) => Item,
): Item[] {
  return found.flatMap((record) => {
    try {
      return [read(record)];
    } catch (error) {
      countUnreadable(kind, record.key, error);
      return [];
    }
  });
}

/** Reads one requested record; throws UnreadableRecord. */
export function readOne<Item>(kind: string, key: RecordKey, read: () => Item): Item {
  try {
    return read();
  } catch (error) {
    countUnreadable(kind, key, error);
    throw new UnreadableRecord(kind, { cause: error });
  }
}

/** Logs where a record is stored and which of its fields are invalid, never their contents. */
function countUnreadable(kind: string, { partition, sort }: RecordKey, error: unknown): void {
  const place = JSON.stringify([partition, sort]);
  const now = Date.now();
  if (now - (said.get(place) ?? 0) < SAY_AGAIN_MS) return;
  if (said.size >= MAX_REMEMBERED) said.clear();
  said.set(place, now);
  const wrong = wrongFields(error);
  report('record_quarantined', 'a record was set aside', { kind, partition, sort, wrong });
}

function wrongFields(error: unknown): string {
  const { issues = [] } = error as Partial<z.ZodError>;
  const fields = issues.map(({ path, code }) => `${path.join('.')}: ${code}`);
  return fields.length > 0 ? fields.slice(0, 5).join('; ') : String(error);
}
