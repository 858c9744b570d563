import { stripVTControlCharacters } from 'node:util';

/**
 * The one way to the terminal. Names of files, words of models and errors come from others: a control character among them
 * could set the terminal's title, write its clipboard, go back over a line or fake a question, so none gets through. Colours
 * are put around texts here, after they are clean.
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

/** C0 but tab and line feed, DEL, C1, line separators, and what turns the direction of writing or cannot be seen. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSAFE = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** Text of others without what a terminal would obey. Zero-width joiners go too: an emoji in parts is no harm. */
export function clean(text: string): string {
  return stripVTControlCharacters(text).replace(UNSAFE, '');
}

/** The same on one line. */
export function cleanLine(text: string): string {
  return clean(text.replace(/\s+/g, ' '));
}

/** The same, cut after so many characters. */
export function shortLine(text: string, most: number): string {
  const line = cleanLine(text).trim();
  return line.length > most ? `${line.slice(0, most)} …` : line;
}

/** JSON with nothing left out: what a terminal would obey stands there as its escape. */
export function safeJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null';
  return text.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

type Stream = NodeJS.WriteStream;

/** https://no-color.org: set and not empty. */
function hasColours(stream: Stream): boolean {
  return stream.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
}

function write(stream: Stream, pieces: Piece[]): void {
  const colours = hasColours(stream);
  const texts = pieces.map((piece) => {
    if (typeof piece === 'string') return clean(piece);
    const [on, off] = STYLES[piece.style];
    const text = clean(piece.text);
    return colours && text !== '' ? `\x1b[${on}m${text}\x1b[${off}m` : text;
  });
  stream.write(texts.join(''));
}

/** What was asked for. */
export function print(...pieces: Piece[]): void {
  write(process.stdout, pieces);
}

export function printLine(...pieces: Piece[]): void {
  write(process.stdout, [...pieces, '\n']);
}

/** What a program reads: one value, one line. */
export function printJson(value: unknown): void {
  process.stdout.write(`${safeJson(value)}\n`);
}

/** What is said beside it. */
export function tellLine(...pieces: Piece[]): void {
  clearProgress();
  write(process.stderr, [...pieces, '\n']);
}

let shown = false;

/** One line that the next one replaces; only where somebody looks. */
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
