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
  const rows = entries.map((entry) => COLUMNS.map((column) => cell(String(entry[column] ?? ''))).join());
  return [COLUMNS.join(), ...rows, ''].join('\r\n');
}

/** Spreadsheets evaluate text that starts like this as a formula. An apostrophe marks it as text. */
const FORMULA = /^[\s'"]*[=+\-@\t\r|%＝＋－＠]/u;

function cell(text: string): string {
  const plain = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
