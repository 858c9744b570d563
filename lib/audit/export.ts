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

/** The table as RFC 4180 writes it. */
export function toCsv(entries: ShownEntry[]): string {
  const rows = entries.map((entry) => COLUMNS.map((column) => cell(String(entry[column] ?? ''))).join());
  return [COLUMNS.join(), ...rows, ''].join('\r\n');
}

/** Programs for tables take what begins like this for a formula, and would carry it out: an apostrophe says that it is text. */
const FORMULA = /^[\s'"]*[=+\-@\t\r|%＝＋－＠]/u;

function cell(text: string): string {
  const plain = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
