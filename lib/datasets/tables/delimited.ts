const MARKS = [',', '\t', ';', '|'];

/** Returns the delimiter that the header uses. */
export function delimiterOf(text: string, format: string): string {
  if (format === 'tsv') return '\t';
  const header = text.slice(0, text.indexOf('\n') >>> 0);
  const counts = MARKS.map((mark) => header.split(mark).length);
  return MARKS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/**
 * Returns at most `max` records of delimited text, without blank lines. If the text continues (`partial`), also omits
 * the last record, because it may be truncated.
 */
export function readRecords(
  text: string,
  delimiter: string,
  { max, partial }: { max: number; partial: boolean },
): string[][] {
  const records: string[][] = [];
  let at = 0;
  while (at < text.length && records.length < max) {
    const { record, end } = readRecord(text, at, delimiter);
    if (end === undefined && partial) break;
    if (record.length > 1 || record[0]?.trim() !== '') records.push(record);
    at = end ?? text.length;
  }
  return records;
}

/** Reads a record. `end` is the start of the next one; undefined if the text ends within this record. */
function readRecord(text: string, start: number, delimiter: string): { record: string[]; end?: number } {
  const record: string[] = [];
  let at = start;
  for (;;) {
    const { field, end } = text[at] === '"' ? readQuoted(text, at) : { field: '', end: at };
    const next = endOfField(text, end, delimiter);
    record.push((field + text.slice(end, next)).replace(/\r$/, ''));
    if (next >= text.length) return { record };
    at = next + 1;
    if (text[next] === '\n') return { record, end: at };
  }
}

function readQuoted(text: string, start: number): { field: string; end: number } {
  let field = '';
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return { field: field + text.slice(at), end: text.length };
    field += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { field, end: quote + 1 };
    field += '"';
    at = quote + 2;
  }
}

function endOfField(text: string, start: number, delimiter: string): number {
  for (let at = start; at < text.length; at++) if (text[at] === delimiter || text[at] === '\n') return at;
  return text.length;
}
