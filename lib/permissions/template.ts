/**
 * The mark for an unknown part of a text: a variable, or the names that a glob matches. It may be any text,
 * empty, or several words. No script or path can contain this character.
 */
export const HOLE = '\0';

/** Returns whether a text has no unknown part. */
export function isKnown(text: string): boolean {
  return !text.includes(HOLE);
}

/**
 * Whether a pattern matches a text with unknown parts: whatever they contain, for some contents, or never.
 */
export type Fit = 'surely' | 'maybe' | 'no';

/**
 * `*` matches any text in commands and texts; a trailing ` *` also matches the command without arguments. In
 * paths, `*` stays within one name, `**` crosses `/`, and `dir/**` also matches the directory. Everything
 * else is literal, in any Unicode form.
 */
export type PatternKind = 'text' | 'path';

/** Matches any text. */
const ANY = Symbol('any');
/** Matches any text without `/`. */
const NAME = Symbol('name');
/**
 * Matches an empty text, or any directories with their trailing `/`. Once the match has started, only the
 * latter applies.
 */
const DIRECTORIES = Symbol('directories');
const WITHIN = Symbol('within directories');
type Token = string | typeof ANY | typeof NAME | typeof DIRECTORIES | typeof WITHIN;

export function fitTo(kind: PatternKind, pattern: string, text: string): Fit {
  return fitComposed(kind, pattern.normalize('NFC'), text.normalize('NFC'));
}

function fitComposed(kind: PatternKind, pattern: string, text: string): Fit {
  const beginning = pattern.slice(0, pattern.indexOf('*') + 1 || undefined);
  if (cannotBegin(beginning, text)) return 'no';
  const spellings = compiled(kind, pattern);
  const short = bounded(text);
  const chars = [...short];
  if (coversAll(spellings, chars)) return 'surely';
  if (isKnown(short)) return 'no';
  return spellings.some((tokens) => mayTake(tokens, chars)) ? 'maybe' : 'no';
}

/** Returns all that a pattern matches as one text with unknown parts, to compare it with another pattern. */
export function programOf(command: string): string {
  const [first = ''] = command.split(' ');
  return isKnown(first) ? first : '';
}

/**
 * Returns all that a pattern matches as one text with unknown parts. Matching this text shows whether another
 * pattern covers or overlaps it.
 */
export function asText(pattern: string): string {
  return pattern.replace(/\*+/g, HOLE);
}

/**
 * Maximum characters. The rest of a longer text counts as unknown, so that a model can't make matching slow.
 */
const MAX_TEXT = 1000;

/** Merges adjacent unknown parts into one, which can contain the same text. */
function bounded(text: string): string {
  const short = text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).toWellFormed()}${HOLE}`;
  return short.replaceAll(/\0+/g, HOLE);
}

/**
 * Returns whether a text certainly doesn't match, because most patterns and texts differ in their first
 * letters.
 */
function cannotBegin(beginning: string, text: string): boolean {
  for (let at = 0; at < beginning.length; at += 1) {
    const [wanted, char] = [beginning[at], text[at]];
    if (wanted === '*' || char === HOLE) return false;
    // A trailing ` *` or `/**` is optional.
    if (char === undefined) return wanted !== ' ' && wanted !== '/';
    if (wanted !== char) return true;
  }
  return false;
}

const cache = new Map<string, Token[][]>();
const MAX_CACHED = 500;

function compiled(kind: PatternKind, pattern: string): Token[][] {
  const key = `${kind} ${pattern}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  if (cache.size >= MAX_CACHED) cache.clear();
  const made = spellingsOf(kind, pattern).map((spelling) => tokensOf(kind, spelling));
  cache.set(key, made);
  return made;
}

function spellingsOf(kind: PatternKind, pattern: string): string[] {
  const end = kind === 'text' ? ' *' : '/**';
  return pattern.length > end.length && pattern.endsWith(end)
    ? [pattern, pattern.slice(0, -end.length)]
    : [pattern];
}

function tokensOf(kind: PatternKind, pattern: string): Token[] {
  const pieces = kind === 'text' ? pattern.split(/(\*+)/) : pattern.split(/((?<=^|\/)\*\*\/|\*+)/);
  return pieces.flatMap((piece): Token[] => {
    if (!piece.startsWith('*')) return [...piece];
    if (piece.endsWith('/')) return [DIRECTORIES, WITHIN];
    return [kind === 'path' && piece === '*' ? NAME : ANY];
  });
}

type Places = Set<number>;

/**
 * Returns whether one of the spellings matches the text whatever its unknown parts contain. Only an unlimited
 * wildcard matches an unknown part. Tracks the set of positions in the patterns for each character, so no
 * text makes it slow.
 */
function coversAll(spellings: Token[][], chars: string[]): boolean {
  return spellings.some((tokens) => {
    let places = skipEmpty(tokens, [0]);
    for (const char of chars) places = take(tokens, char, places);
    return places.has(tokens.length);
  });
}

/** Returns whether the tokens match the text for some contents of its unknown parts. */
function mayTake(tokens: Token[], chars: string[]): boolean {
  const fill = (places: Places) =>
    skipEmpty(
      tokens,
      [...places].flatMap((place) => upTo(tokens.length, place)),
    );
  let places = skipEmpty(tokens, [0]);
  for (const char of chars) {
    if (char === HOLE) places = fill(places);
    else places = take(tokens, char, places);
    if (places.size === 0) return false;
  }
  return places.has(tokens.length);
}

function upTo(end: number, from: number): number[] {
  return Array.from({ length: end - from + 1 }, (_, index) => from + index);
}

/** Returns the positions after one character. */
function take(tokens: Token[], char: string, places: Places): Places {
  const next: number[] = [];
  for (const place of places) {
    const token = tokens[place];
    if (token === ANY || token === WITHIN || (token === NAME && char !== '/' && char !== HOLE))
      next.push(place);
    if (token === char || (token === WITHIN && char === '/')) next.push(place + 1);
  }
  return skipEmpty(tokens, next);
}

/** Adds the positions that are reached without consuming a character. */
function skipEmpty(tokens: Token[], places: Iterable<number>): Places {
  const reached = new Set<number>();
  const open = [...places];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (reached.has(place)) continue;
    reached.add(place);
    const token = tokens[place];
    if (token === ANY || token === NAME || token === DIRECTORIES) open.push(place + 1);
    if (token === DIRECTORIES) open.push(place + 2);
  }
  return reached;
}
