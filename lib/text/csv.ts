/** Spreadsheets evaluate text that starts like this as a formula. An apostrophe marks it as text. */
const FORMULA = /^[\s'"]*[=+\-@\t\r|%＝＋－＠]/u;

/** Returns lines of CSV (RFC 4180), in which no text becomes a formula. Numbers stay numbers. */
export function toCsvLines(rows: (string | number)[][]): string {
  return [...rows.map((row) => row.map(cell).join()), ''].join('\r\n');
}

function cell(content: string | number): string {
  if (typeof content === 'number') return String(content);
  const plain = FORMULA.test(content) ? `'${content}` : content;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
