import { scanValues } from './json-values.ts';

/** Counts the rows in a file's bytes as they are read, in limited memory. */
export interface RowCounter {
  push(chunk: Buffer): void;
  /** Returns the rows; undefined if the file isn't a table after all. */
  end(): number | undefined;
}

/**
 * Returns a counter; undefined for formats that aren't counted this way. `onRow` gets the end of each row,
 * including the header's, but not that of a last row without a line end.
 */
export function rowCounter(format: string, onRow: (end: number) => void = () => {}): RowCounter | undefined {
  if (format === 'jsonl') return lineCounter(onRow);
  if (format === 'csv' || format === 'tsv') return recordCounter(onRow);
  return format === 'json' ? valueCounter(onRow) : undefined;
}

const NEWLINE = 10;
const RETURN = 13;
const QUOTE = 34;

/** Counts lines that aren't empty. */
function lineCounter(onRow: (end: number) => void): RowCounter {
  let lines = 0;
  let filled = false;
  let before = 0;
  return {
    push(chunk) {
      for (let start = 0; start < chunk.length; ) {
        const newline = chunk.indexOf(NEWLINE, start);
        const end = newline < 0 ? chunk.length : newline;
        filled ||= hasText(chunk, start, end);
        start = end + 1;
        if (newline < 0 || !filled) continue;
        lines++;
        filled = false;
        onRow(before + start);
      }
      before += chunk.length;
    },
    end: () => (filled ? lines + 1 : lines),
  };
}

function hasText(chunk: Buffer, start: number, end: number): boolean {
  for (let index = start; index < end; index++) if (!isSpace(chunk[index])) return true;
  return false;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === RETURN || byte === 9;
}

interface RecordScan {
  records: number;
  filled: boolean;
  quoted: boolean;
  /** The previous byte: a quote opens a field only at its start. */
  before: number;
  /** Number of bytes in earlier chunks. */
  passed: number;
  onRow: (end: number) => void;
}

/** Counts records of delimited text without the header. A line break between quotes doesn't end a record. */
function recordCounter(onRow: (end: number) => void): RowCounter {
  const scan: RecordScan = { records: 0, filled: false, quoted: false, before: NEWLINE, passed: 0, onRow };
  return {
    push(chunk) {
      let quote = chunk.indexOf(QUOTE);
      for (let at = 0; at < chunk.length; ) {
        if (quote >= 0 && quote < at) quote = chunk.indexOf(QUOTE, at);
        const nextQuote = quote < 0 ? chunk.length : quote;
        at = scan.quoted ? leaveQuotes(scan, chunk, nextQuote) : passPlain(scan, chunk, at, nextQuote);
      }
      scan.passed += chunk.length;
    },
    end: () => Math.max(0, (scan.filled ? scan.records + 1 : scan.records) - 1),
  };
}

/** Returns the position where the scan continues, like passPlain. */
function leaveQuotes(scan: RecordScan, chunk: Buffer, quote: number): number {
  if (quote === chunk.length) return quote;
  scan.quoted = false;
  scan.before = QUOTE;
  return quote + 1;
}

/** Skips to the next quote or the end of the line. */
function passPlain(scan: RecordScan, chunk: Buffer, start: number, quote: number): number {
  const newline = chunk.indexOf(NEWLINE, start);
  const end = newline < 0 ? quote : Math.min(newline, quote);
  scan.filled ||= hasText(chunk, start, end);
  if (end > start) scan.before = chunk[end - 1] ?? 0;
  if (end === chunk.length) return end;
  if (end === newline) endRecord(scan, end + 1);
  else openQuotes(scan);
  return end + 1;
}

function endRecord(scan: RecordScan, end: number): void {
  if (scan.filled) {
    scan.records++;
    scan.onRow(scan.passed + end);
  }
  scan.filled = false;
  scan.before = NEWLINE;
}

/** Opens quotes. Right after a closing quote, the quote is an escaped one, and the field continues. */
function openQuotes(scan: RecordScan): void {
  scan.quoted = scan.before === QUOTE || isDelimiter(scan.before);
  scan.filled = true;
  scan.before = QUOTE;
}

function isDelimiter(byte: number): boolean {
  return byte === 44 || byte === 59 || byte === 9 || byte === 124 || byte === NEWLINE;
}

/** Counts the elements of an array, or values in a row. A single value isn't a table. */
function valueCounter(onRow: (end: number) => void): RowCounter {
  const scan = scanValues((_start, end) => onRow(end));
  return {
    push: (chunk) => scan.push(chunk),
    end() {
      const { isArray, values, whole } = scan.end();
      return whole && (isArray || values > 1) ? values : undefined;
    },
  };
}
