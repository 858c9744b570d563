import { toCsvLines } from '../text/csv.ts';
import type { ShownEntry } from './schema.ts';

const COLUMNS = [
  'at',
  'actor',
  'role',
  'action',
  'workspaceId',
  'about',
  'outcome',
  'status',
  'address',
  'id',
  'actorName',
] as const satisfies (keyof ShownEntry)[];

/** Returns the table as CSV (RFC 4180). */
export function toCsv(entries: ShownEntry[]): string {
  const rows = entries.map((entry) => COLUMNS.map((column) => String(entry[column] ?? '')));
  return toCsvLines([[...COLUMNS], ...rows]);
}
