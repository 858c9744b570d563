import { decodeHTMLStrict } from 'entities';
import type { KnownFormat } from './all-formats.ts';
import type { ReadRun, RunReader } from './format.ts';

/** Matches an escaped code unit, except control characters, because those would shift lines. */
const UNIT = String.raw`\\u(?!00[0189]|007f)[0-9a-fA-F]{4}`;
const ENTITY = String.raw`&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});`;
/** Matches an escaped backslash too, because the text after it isn't an escape. */
const ESCAPE = new RegExp(String.raw`\\\\|((?:${UNIT})+|(?:${ENTITY})+)`, 'g');
const MAY_ESCAPE = new RegExp(`${UNIT}|${ENTITY}`);

/** TeX's accents by command, each a combining character (LaTeX's own definition of its text accents). */
const ACCENTS: Record<string, string> = {
  ...{
    '`': '\u0300',
    "'": '\u0301',
    '^': '\u0302',
    '~': '\u0303',
    '=': '\u0304',
    u: '\u0306',
    '.': '\u0307',
  },
  ...{
    '"': '\u0308',
    r: '\u030a',
    H: '\u030b',
    v: '\u030c',
    d: '\u0323',
    c: '\u0327',
    k: '\u0328',
    b: '\u0331',
  },
};
/** TeX's commands for letters. */
const LETTERS: Record<string, string> = {
  ...{ ss: 'ß', ae: 'æ', AE: 'Æ', oe: 'œ', OE: 'Œ', aa: 'å', AA: 'Å', o: 'ø', O: 'Ø', l: 'ł', L: 'Ł' },
  ...{ i: 'ı', j: 'ȷ', dh: 'ð', DH: 'Ð', th: 'þ', TH: 'Þ', dj: 'đ', DJ: 'Đ', ng: 'ŋ', NG: 'Ŋ' },
};
const LETTER = `\\\\(?:${Object.keys(LETTERS).sort().reverse().join('|')})(?![a-zA-Z])(?:\\{\\}|[ \\t]|)`;
const ACCENTED = String.raw`\\(?:[\`'^"~=.][ \t]*|[uvHtcdbrk](?![a-zA-Z])[ \t]*)(?:\{\\?[a-zA-Z]\}|\\[ij](?![a-zA-Z])[ \t]?|[a-zA-Z])`;
/** Braces around a command are part of it. */
const TEX = new RegExp(String.raw`\\\\|((?:\{(?:${ACCENTED}|${LETTER})\}|${ACCENTED}|${LETTER})+)`, 'g');
const MAY_BE_TEX = new RegExp(`${ACCENTED}|${LETTER}`);
const ONE_OF_TEX = new RegExp(`${ACCENTED}|${LETTER}`, 'g');

/** The decoders of escapes in plain texts, by format name. */
export const escapeReaders: Partial<Record<KnownFormat['name'], RunReader>> = {
  text: (source) => readEscapes(source, ESCAPE, decodeSequence),
  rows: (source) => readEscapes(source, ESCAPE, decodeSequence),
  latex: (source) => readEscapes(source, TEX, composeAll),
  bibtex: (source) => readEscapes(source, TEX, composeAll),
};

/**
 * The maximum length of a decoded source in characters. A longer source is searched as written, and so is the
 * rest of a source after this many escapes, because each costs memory.
 */
const MAX_CHARACTERS = 10 * 1024 * 1024;
const MAX_ESCAPES = 200_000;

/** Checks cheaply whether a source may contain escapes. */
export function mayEscape(format: KnownFormat, source: string): boolean {
  if (escapeReaders[format.name] === undefined || source.length > MAX_CHARACTERS) return false;
  return (format.name === 'latex' || format.name === 'bibtex' ? MAY_BE_TEX : MAY_ESCAPE).test(source);
}

function readEscapes(source: string, pattern: RegExp, read: (sequence: string) => string): ReadRun[] {
  const runs: ReadRun[] = [];
  let end = 0;
  const add = (until: number, text: string) => {
    if (until > end) runs.push({ start: end, end: until, text, breakBefore: 0 });
    end = until;
  };
  for (const { 0: all, 1: sequence, index } of source.matchAll(pattern)) {
    const text = sequence === undefined ? undefined : read(sequence);
    if (text === undefined || text === sequence) continue;
    if (runs.length > 2 * MAX_ESCAPES) break;
    add(index, source.slice(end, index));
    add(index + all.length, text);
  }
  add(source.length, source.slice(end));
  return runs;
}

/** Lone surrogates and control characters stay escaped. */
function decodeSequence(sequence: string): string {
  const text = sequence.startsWith('&')
    ? decodeHTMLStrict(sequence)
    : sequence.replace(/\\u(.{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return /[\p{Cc}\p{Cs}]/u.test(text) ? sequence : text;
}

function composeAll(escapes: string): string {
  return [...escapes.matchAll(ONE_OF_TEX)].map(([one]) => compose(one)).join('');
}

function compose(sequence: string): string {
  const [, command = '', rest = ''] = /^\\([a-zA-Z]+|.)([\s\S]*)$/.exec(sequence) ?? [];
  const letter = LETTERS[command];
  if (letter !== undefined) return letter;
  const base = rest.replace(/[\s{}\\]/g, '');
  return `${base}${ACCENTS[command] ?? ''}`.normalize('NFC');
}
