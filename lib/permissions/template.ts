/**
 * Stands in a text for what nobody knows before it is done: a variable, the names that a glob finds. Any text, none, and
 * several words. No script and no path can hold this character.
 */
export const HOLE = '\0';

/** Stands for a whole word of a command that is not known: for nothing at all, or for a space and any text. */
export const GAP = '\u0001';

/** Whether nothing of a text is unknown. */
export function isKnown(text: string): boolean {
  return !text.includes(HOLE) && !text.includes(GAP);
}

/** The words of a command as one text. */
export function joinWords([first = '', ...others]: string[]): string {
  return others.reduce((text, word) => text + (/^\0+$/.test(word) ? GAP : ` ${word}`), first);
}

/** Whether a pattern fits a text with holes: whatever they hold, for some of it, or never. */
export type Fit = 'surely' | 'maybe' | 'no';

/**
 * `*` is any text in commands and texts; ` *` at the end also fits the command without arguments. In paths `*` stays
 * within one name, `**` crosses `/`, and `dir/**` fits the directory, too. All else is taken as it stands.
 */
export type PatternKind = 'text' | 'path';

/** Takes any text. */
const ANY = Symbol('any');
/** Takes any text without `/`. */
const NAME = Symbol('name');
/** Takes nothing, or any directories with their last `/`: the second of the two does, once it has begun. */
const DIRECTORIES = Symbol('directories');
const WITHIN = Symbol('within directories');
type Token = string | typeof ANY | typeof NAME | typeof DIRECTORIES | typeof WITHIN;

export function fitTo(kind: PatternKind, pattern: string, text: string): Fit {
  const beginning = pattern.slice(0, pattern.indexOf('*') + 1 || undefined);
  if (cannotBegin(beginning, text)) return 'no';
  const spellings = compiled(kind, pattern);
  const short = bounded(text);
  const chars = [...short];
  if (coversAll(spellings, chars)) return 'surely';
  if (isKnown(short)) return 'no';
  return spellings.some((tokens) => mayTake(tokens, chars)) ? 'maybe' : 'no';
}

/** The first word of a command; empty where it is not known. */
export function programOf(command: string): string {
  const [first = ''] = command.split(GAP)[0]?.split(' ') ?? [];
  return isKnown(first) ? first : '';
}

/** All that a pattern fits, as one text with holes: whether another pattern covers it, or the two meet, is their fit. */
export function asText(pattern: string): string {
  return pattern.replace(/\*+/g, HOLE);
}

/** The rest of a longer text counts as unknown: nobody waits for a match that a model made slow. */
const MAX_TEXT = 1000;

/** Several unknown words in a row are one: what they hold, one may hold. */
function bounded(text: string): string {
  const short = text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).toWellFormed()}${HOLE}`;
  return short.replaceAll(UNKNOWN_RUN, (run) => (run.includes(HOLE) ? HOLE : GAP));
}

const UNKNOWN_RUN = new RegExp(`[${HOLE}${GAP}]+`, 'g');

/** Most patterns and texts part at their first letters. */
function cannotBegin(beginning: string, text: string): boolean {
  for (let at = 0; at < beginning.length; at += 1) {
    const [wanted, char] = [beginning[at], text[at]];
    if (wanted === '*' || char === HOLE || char === GAP) return false;
    // ` *` and `/**` at the end may be left out.
    if (char === undefined) return wanted !== ' ' && wanted !== '/';
    if (wanted !== char) return true;
  }
  return false;
}

const kept = new Map<string, Token[][]>();
const MAX_KEPT = 500;

function compiled(kind: PatternKind, pattern: string): Token[][] {
  const key = `${kind} ${pattern}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  if (kept.size >= MAX_KEPT) kept.clear();
  const made = spellingsOf(kind, pattern).map((spelling) => tokensOf(kind, spelling));
  kept.set(key, made);
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

/** The most ways tried through the gaps of one text. */
const MAX_WAYS = 8;

/**
 * Whether one of the spellings takes the text whatever its holes and gaps hold. Only a wildcard without bounds takes a
 * hole. Goes from character to character with the sets of places in the patterns: no text makes it slow.
 */
function coversAll(spellings: Token[][], chars: string[]): boolean {
  let ways = [spellings.map((tokens) => skipEmpty(tokens, [0]))];
  for (const char of chars) {
    const along = (way: Places[], ...taken: string[]) =>
      way.map((places, index) => taken.reduce((at, each) => take(spellings[index] ?? [], each, at), places));
    ways =
      char === GAP
        ? distinct(ways.flatMap((way) => [way, along(way, ' ', HOLE)]))
        : ways.map((way) => along(way, char));
    if (ways.length > MAX_WAYS || ways.some((way) => way.every(({ size }) => size === 0))) return false;
  }
  return ways.every((way) => way.some((places, index) => places.has(spellings[index]?.length ?? -1)));
}

function distinct(ways: Places[][]): Places[][] {
  const keyOf = (way: Places[]) => way.map((places) => [...places].sort().join()).join(';');
  return [...new Map(ways.map((way) => [keyOf(way), way])).values()];
}

/** Whether the tokens take the text for something that its holes and gaps may hold. */
function mayTake(tokens: Token[], chars: string[]): boolean {
  const fill = (places: Places) =>
    skipEmpty(
      tokens,
      [...places].flatMap((place) => upTo(tokens.length, place)),
    );
  let places = skipEmpty(tokens, [0]);
  for (const char of chars) {
    if (char === HOLE) places = fill(places);
    else if (char === GAP) places = new Set([...places, ...fill(take(tokens, ' ', places))]);
    else places = take(tokens, char, places);
    if (places.size === 0) return false;
  }
  return places.has(tokens.length);
}

function upTo(end: number, from: number): number[] {
  return Array.from({ length: end - from + 1 }, (_, index) => from + index);
}

/** The places behind one character. */
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

/** Adds the places that are reached without taking anything. */
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
