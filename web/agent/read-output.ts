import { tableRows } from '../files/table-rows.ts';

/** Tool arguments and results, parsed for display. They are untrusted, so anything malformed is shown as JSON. */
export interface TerminalOutput {
  stdout: string;
  stderr: string;
  exitCode: number | undefined;
  note: string | undefined;
}

export interface Table {
  header: string[];
  rows: string[][];
}

export interface Passage {
  path: string;
  startLine: number;
  endLine: number;
  text: string;
}

const MAX_ROWS = 200;
const MAX_COLUMNS = 12;
const MAX_CELL = 300;
const MAX_PASSAGES = 50;

type Fields = Record<string, unknown>;

export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function readTerminalOutput(output: unknown): TerminalOutput | undefined {
  const fields = fieldsOf(output);
  if (fields === undefined || textOf(fields.stdout) === undefined) return undefined;
  const { stdout, stderr, exitCode, note } = fields;
  return {
    ...{ stdout: textOf(stdout) ?? '', stderr: textOf(stderr) ?? '', note: textOf(note) },
    exitCode: typeof exitCode === 'number' ? exitCode : undefined,
  };
}

/** Returns old and new texts of a file change. The arguments of a whole-file write don't include the old text. */
export function readEdits(
  tool: string,
  input: unknown,
  whole = '',
): { before: string; after: string }[] | undefined {
  const fields = fieldsOf(input);
  if (tool === 'writeFile') {
    const content = textOf(fields?.content);
    return content === undefined ? undefined : [{ before: whole, after: content }];
  }
  if (tool !== 'editFile' || !Array.isArray(fields?.edits)) return undefined;
  const edits = fields.edits.map((each: unknown) => {
    const { oldText, newText } = fieldsOf(each) ?? {};
    return { before: textOf(oldText) ?? '', after: textOf(newText) ?? '' };
  });
  return edits.length === 0 ? undefined : edits;
}

/** Returns locations in files that a search found. */
export function readPassages(tool: string, output: unknown): Passage[] | undefined {
  const { passages, matches } = fieldsOf(output) ?? {};
  const found = tool === 'searchWorkspace' ? passages : tool === 'grep' ? matches : undefined;
  if (!Array.isArray(found) || found.length === 0) return undefined;
  const read = found.slice(0, MAX_PASSAGES).map(readPassage);
  return read.includes(undefined) ? undefined : (read as Passage[]);
}

function readPassage(value: unknown): Passage | undefined {
  const { path, startLine, endLine, line, text } = fieldsOf(value) ?? {};
  const first = [startLine, line].find((each) => typeof each === 'number') ?? 1;
  if (textOf(path) === undefined || textOf(text) === undefined) return undefined;
  const last = typeof endLine === 'number' ? endLine : first;
  return { path: String(path), text: String(text), startLine: Number(first), endLine: Number(last) };
}

/**
 * Returns uniform rows: a list of objects, an object's only such list, or text with columns separated by
 * commas or tabs.
 */
export function readTable(output: unknown): Table | undefined {
  if (typeof output === 'string') return tableOfText(output);
  if (Array.isArray(output)) return tableOfList(output);
  const lists = Object.values(fieldsOf(output) ?? {}).filter((value) => Array.isArray(value));
  return lists.length === 1 ? tableOfList(lists[0] as unknown[]) : undefined;
}

function tableOfList(list: unknown[]): Table | undefined {
  const objects = list.slice(0, MAX_ROWS).map(fieldsOf);
  if (objects.length === 0 || objects.includes(undefined)) return undefined;
  const header = [...new Set(objects.flatMap((each) => Object.keys(each ?? {})))].slice(0, MAX_COLUMNS);
  if (header.length === 0) return undefined;
  return { header, rows: objects.map((each) => header.map((name) => cellOf(each?.[name]))) };
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL)}…` : text;
}

function tableOfText(text: string): Table | undefined {
  const delimiter = text.includes('\t') ? '\t' : ',';
  const [header = [], ...rows] = tableRows(text.trim(), delimiter, MAX_ROWS + 1);
  const isEven = rows.every(({ length }) => length === header.length);
  if (rows.length === 0 || header.length < 2 || !isEven) return undefined;
  const shown = (row: string[]) => row.slice(0, MAX_COLUMNS).map(cellOf);
  return { header: shown(header), rows: rows.map(shown) };
}
