import { isCiteKey } from '../documents/schema.ts';
import { ownValue } from '../text/own-value.ts';

/** An entry of a BibTeX file: its fields by lower-case name, as written, without the outer braces. */
export interface BibEntry {
  type: string;
  key: string;
  fields: Map<string, string>;
}

const MAX_ENTRIES = 20_000;
/** The maximum number of broken entries, because finding the end of each takes time. */
const MAX_BROKEN = 200;
const MAX_VALUE = 100_000;
/** The maximum number of characters that macros add, because each may consist of others. */
const MAX_EXPANDED = 10_000_000;
const MAX_NAMES_LENGTH = 10_000;

/**
 * Yields the entries of a BibTeX or BibLaTeX file. Skips an entry that isn't closed or has no key, because
 * libraries are also edited manually. Takes linear time.
 */
export function* readBibFile(text: string): Generator<BibEntry> {
  const reader: Reader = { text, at: 0, macros: new Map(), room: MAX_EXPANDED };
  const start = /@\s*([A-Za-z]+)\s*[{(]/g;
  let [count, broken] = [0, 0];
  for (let found = start.exec(text); found !== null; found = start.exec(text)) {
    reader.at = start.lastIndex;
    const entry = readEntry(reader, (found[1] ?? '').toLowerCase());
    if (entry === undefined) broken += 1;
    else start.lastIndex = reader.at;
    if (entry !== undefined && entry.key !== '') {
      yield entry;
      count += 1;
    }
    if (count === MAX_ENTRIES || broken === MAX_BROKEN) return;
  }
}

/** Undefined if the entry isn't closed. A macro or a comment has no key. */
function readEntry(reader: Reader, type: string): BibEntry | undefined {
  if (type === 'comment' || type === 'preamble')
    return readUntil(reader, '}') === undefined ? undefined : { type, key: '', fields: new Map() };
  const key = type === 'string' ? '' : readKey(reader);
  const fields = key === undefined ? undefined : readFields(reader);
  if (key === undefined || fields === undefined) return undefined;
  if (key === '') for (const [name, value] of fields) reader.macros.set(name, value);
  return { type, key, fields };
}

interface Reader {
  text: string;
  at: number;
  macros: Map<string, string>;
  /** The number of characters that macros may still add. */
  room: number;
}

/** Matches at the reader's position, and moves it after the match. */
function take(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0];
  reader.at += found?.length ?? 0;
  return found;
}

function readKey(reader: Reader): string | undefined {
  const key = take(reader, /[^,{}]{0,300},/y)
    ?.slice(0, -1)
    .trim();
  return key !== undefined && isCiteKey(key) ? key : undefined;
}

/** Undefined if the entry isn't closed. */
function readFields(reader: Reader): Map<string, string> | undefined {
  const fields = new Map<string, string>();
  for (;;) {
    take(reader, /[\s,]*/y);
    if (take(reader, /[})]/y) !== undefined) return fields;
    const name = take(reader, /[\w:.+-]{1,100}/y)?.toLowerCase();
    if (name === undefined || take(reader, /\s*=\s*/y) === undefined) return undefined;
    const value = readValue(reader);
    if (value === undefined) return undefined;
    if (!fields.has(name)) fields.set(name, value);
  }
}

/** Reads `{…}`, `"…"`, a number, or a macro, or several of them joined by `#`. */
function readValue(reader: Reader): string | undefined {
  const parts: string[] = [];
  do {
    const part = readPart(reader);
    if (part === undefined) return undefined;
    parts.push(part);
  } while (take(reader, /\s*#\s*/y) !== undefined);
  return parts.join('').slice(0, MAX_VALUE);
}

function readPart(reader: Reader): string | undefined {
  if (take(reader, /\{/y) !== undefined) return readUntil(reader, '}');
  if (take(reader, /"/y) !== undefined) return readUntil(reader, '"');
  const bare = take(reader, /[\w:.+-]{1,200}/y);
  return bare === undefined || /^\d+$/.test(bare) ? bare : expand(reader, bare);
}

function expand(reader: Reader, name: string): string {
  const value = reader.macros.get(name.toLowerCase()) ?? name;
  reader.room -= value.length;
  return reader.room < 0 ? name : value;
}

/** Reads to the end of a delimited value, in which braces must be balanced. Undefined if they aren't. */
function readUntil(reader: Reader, end: '}' | '"'): string | undefined {
  const { text, at: from } = reader;
  let depth = 0;
  const limit = Math.min(text.length, from + MAX_VALUE);
  for (let at = from; at < limit; at++) {
    const sign = text[at];
    if (sign === '\\') at++;
    else if (depth === 0 && sign === end) {
      reader.at = at + 1;
      return text.slice(from, at);
    } else if (sign === '{') depth++;
    else if (sign === '}') depth--;
    if (depth < 0) return undefined;
  }
  return undefined;
}

const ACCENTS: Record<string, string> = {
  '`': '\u0300',
  "'": '\u0301',
  '^': '\u0302',
  '~': '\u0303',
  '=': '\u0304',
  u: '\u0306',
  '.': '\u0307',
  '"': '\u0308',
  r: '\u030a',
  H: '\u030b',
  v: '\u030c',
  d: '\u0323',
  c: '\u0327',
  k: '\u0328',
};

const LETTERS: Record<string, string> = {
  ...{ ss: 'ß', ae: 'æ', AE: 'Æ', oe: 'œ', OE: 'Œ', o: 'ø', O: 'Ø', aa: 'å', AA: 'Å', l: 'ł', L: 'Ł' },
  ...{ i: 'i', j: 'j', textendash: '–', textemdash: '—', textbackslash: '\\', textasciitilde: '~' },
  ...{ textasciicircum: '^', textbraceleft: '{', textbraceright: '}', textunderscore: '_' },
};

const BRACED_ACCENT =
  /\\(?:([`'^~=."])|([uvHcdkr])(?![A-Za-z]))\s*(?:\{\s*\\?([A-Za-z])\s*\}|\\?([A-Za-z]))/g;

/** Returns a value as readers see it: accents composed, characters unescaped, commands and braces removed. */
export function plainText(value: string): string {
  return value
    .replace(BRACED_ACCENT, (_, sign = '', letter = '', inner = '', bare = '') => {
      return `${inner}${bare}${ownValue(ACCENTS, sign + letter) ?? ''}`;
    })
    .replace(/\\([A-Za-z]+)(?:\{\}|\s+|(?![A-Za-z]))/g, (_, name: string) => ownValue(LETTERS, name) ?? '')
    .replace(/\\([&%$#_{} ~^-])/g, (_, sign: string) => (sign === '-' ? '' : sign))
    .replace(/[{}]/g, '')
    .replace(/---/g, '—')
    .replace(/--/g, '–')
    .replace(/~/g, ' ')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Splits a list of names at `and` outside of braces. `others` isn't a name. */
export function personNamesIn(written: string): string[] {
  const value = written.slice(0, MAX_NAMES_LENGTH).replace(/\s+/g, ' ');
  const names: string[] = [];
  let depth = 0;
  let from = 0;
  const separator = /[{}]| and /gi;
  for (let found = separator.exec(value); found !== null; found = separator.exec(value)) {
    if (found[0] === '{') depth++;
    else if (found[0] === '}') depth--;
    else if (depth === 0) {
      names.push(value.slice(from, found.index));
      from = separator.lastIndex;
    }
  }
  return [...names, value.slice(from)].map(plainText).filter((name) => name !== '' && name !== 'others');
}
