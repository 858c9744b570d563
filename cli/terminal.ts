import { stripSequences } from '../lib/api-contract/terminal-sequences.ts';

/**
 * Untrusted or styled output. All output to the terminal goes through this file. File names, model output, and error
 * messages are untrusted: a control character could set the terminal's title, write its clipboard, overwrite a line, or
 * fake a question, so none gets through. Colors are added here, after texts are clean.
 */
export type Piece = string | Styled;
export interface Styled {
  style: keyof typeof STYLES;
  text: string;
}

const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

export const bold = (text: string): Styled => ({ style: 'bold', text });
export const dim = (text: string): Styled => ({ style: 'dim', text });
export const red = (text: string): Styled => ({ style: 'red', text });
export const green = (text: string): Styled => ({ style: 'green', text });
export const yellow = (text: string): Styled => ({ style: 'yellow', text });
export const cyan = (text: string): Styled => ({ style: 'cyan', text });

/** Matches C0 except tab and line feed, DEL, C1, line separators, and bidirectional or invisible characters. */
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Removes characters that a terminal would interpret from untrusted text, including zero-width joiners, because a split
 * emoji is harmless.
 */
function clean(text: string): string {
  return stripSequences(text).replace(UNSAFE, '');
}

/** Like clean, but on one line. */
export function cleanLine(text: string): string {
  return clean(text.replace(/\s+/g, ' '));
}

/** Like cleanLine, but truncated to `most` characters. */
export function shortLine(text: string, most: number): string {
  const line = cleanLine(text).trim();
  return line.length > most ? `${line.slice(0, most)} …` : line;
}

/** Formats JSON completely, with characters that a terminal would interpret escaped. */
export function safeJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null';
  return text.replace(UNSAFE, (character) => character.split('').map(escapeUnit).join(''));
}

/** Escapes one UTF-16 unit for JSON. */
function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

type Stream = NodeJS.WriteStream;

/** Returns whether to use colors; no if NO_COLOR is set and not empty (https://no-color.org). */
function hasColors(stream: Stream): boolean {
  return stream.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
}

function write(stream: Stream, pieces: Piece[]): void {
  const colors = hasColors(stream);
  const texts = pieces.map((piece) => {
    if (typeof piece === 'string') return clean(piece);
    const [on, off] = STYLES[piece.style];
    const text = clean(piece.text);
    return colors && text !== '' ? `\x1b[${on}m${text}\x1b[${off}m` : text;
  });
  stream.write(texts.join(''));
}

/** Prints the requested output. */
export function print(...pieces: Piece[]): void {
  write(process.stdout, pieces);
}

export function printLine(...pieces: Piece[]): void {
  write(process.stdout, [...pieces, '\n']);
}

/** Prints a value for programs, on one line. */
export function printJson(value: unknown): void {
  process.stdout.write(`${safeJson(value)}\n`);
}

let tellsJson = false;

/** Makes every line on standard error a JSON value from now on: `{"notice"}` if the line isn't a failure. */
export function tellInJson(): void {
  tellsJson = true;
}

/** Writes a message about the work to standard error. */
export function tellLine(...pieces: Piece[]): void {
  clearProgress();
  const texts = pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text));
  if (tellsJson) tellJson({ notice: texts.join('') });
  else write(process.stderr, [...pieces, '\n']);
}

/** Writes one JSON value to standard error. */
export function tellJson(value: unknown): void {
  clearProgress();
  process.stderr.write(`${safeJson(value)}\n`);
}

let shown = false;

/** Shows a line that the next one replaces; only on a terminal. */
export function showProgress(text: string): void {
  if (!process.stderr.isTTY) return;
  const room = Math.max(10, (process.stderr.columns || 80) - 1);
  process.stderr.write(`\r\x1b[K${cleanLine(text).slice(0, room)}`);
  shown = true;
}

export function clearProgress(): void {
  if (shown) process.stderr.write('\r\x1b[K');
  shown = false;
}

/** Returns `1 call` or `2 calls`. */
export const pluralize = (count: number, name: string) => `${count} ${name}${count === 1 ? '' : 's'}`;
