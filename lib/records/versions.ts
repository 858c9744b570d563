import type { RecordValue } from '../ports/records.ts';

/** The field that says which version of its kind a record was written in. Absent: 1, as everything of release 1.0.0. */
export const VERSION_FIELD = 'v';

/**
 * Fills in what a record of the version before lacks. It changes no field that is there, and does no harm twice: a part of
 * such a record may have been written by this release already.
 */
export type Upgrade = (value: RecordValue) => RecordValue;

/** The record as the present version of its kind has it; the first of `upgrades` makes version 2 of 1. */
export function upgrade(value: RecordValue, upgrades: Upgrade[]): RecordValue {
  return upgrades.slice(versionOf(value) - 1).reduce((upgraded, step) => step(upgraded), value);
}

/** Drops the version, unless it is of a later release: that stays with what that release wrote. */
export function withoutVersion(value: RecordValue, present: number): RecordValue {
  if (versionOf(value) > present) return value;
  const { [VERSION_FIELD]: _version, ...fields } = value;
  return fields;
}

function versionOf(value: RecordValue): number {
  const version = value[VERSION_FIELD];
  return typeof version === 'number' && Number.isInteger(version) && version > 0 ? version : 1;
}
