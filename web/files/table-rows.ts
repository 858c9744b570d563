/** Matches a cell with its terminator. Inside quotes, a quote is doubled (RFC 4180). */
const CELLS = {
  ',': /(?:"((?:[^"]|"")*)"|([^,\n]*))(,|\r?\n|$)/gy,
  '\t': /(?:"((?:[^"]|"")*)"|([^\t\n]*))(\t|\r?\n|$)/gy,
};

/** Returns rows of comma- or tab-separated text, up to a limit, for a preview. Stops at text that isn't a table. */
export function tableRows(text: string, delimiter: ',' | '\t', most: number): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [whole, quoted, plain = '', end] of text.matchAll(CELLS[delimiter])) {
    if (whole === '' && row.length === 0) break;
    row.push(quoted === undefined ? plain.replace(/\r$/, '') : quoted.replaceAll('""', '"'));
    if (end === delimiter) continue;
    rows.push(row);
    row = [];
    if (rows.length === most || end === '') break;
  }
  return rows;
}
