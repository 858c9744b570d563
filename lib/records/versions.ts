import type { RecordValue } from '../ports/records.ts';

/** The field with the version of its kind in which a record was written; 1 if absent. */
export const VERSION_FIELD = 'v';

/**
 * Adds fields that a record of the previous version lacks. Changes no existing field and is idempotent, because this
 * release may already have written part of such a record.
 */
export type Upgrade = (value: RecordValue) => RecordValue;

/** Returns the record in the current version of its kind; the first of `upgrades` turns version 1 into 2. */
export function upgrade(value: RecordValue, upgrades: Upgrade[]): RecordValue {
  return upgrades.slice(versionOf(value) - 1).reduce((upgraded, step) => step(upgraded), value);
}

/** Drops the version, unless it's from a later release, whose data keeps it. */
export function withoutVersion(value: RecordValue, present: number): RecordValue {
  if (versionOf(value) > present) return value;
  const { [VERSION_FIELD]: _version, ...fields } = value;
  return fields;
}

function versionOf(value: RecordValue): number {
  const version = value[VERSION_FIELD];
  return typeof version === 'number' && Number.isInteger(version) && version > 0 ? version : 1;
}
