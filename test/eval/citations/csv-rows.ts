const FIELD = /("(?:[^"]|"")*"|[^",\n\r]*)(,|\r?\n|$)/gy;

/** Yields the rows of a CSV text as objects with the names of its header. */
export function* csvRows(text: string): Iterable<Record<string, string>> {
  let head: string[] | undefined;
  let row: string[] = [];
  for (const [whole, field = '', end] of text.matchAll(FIELD)) {
    if (whole === '' && row.length === 0) return;
    row.push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field);
    if (end === ',') continue;
    if (head !== undefined) yield Object.fromEntries(head.map((name, at) => [name, row[at] ?? '']));
    head ??= row;
    row = [];
  }
}
