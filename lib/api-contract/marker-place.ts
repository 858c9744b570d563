const LIST = String.raw`\d{1,3}(?:\s*[,，、;；–-]\s*\d{1,3})*`;
/** `[1]`, `[1, 2]`, `[1-3]`, and their full-width forms. */
const MARKER = new RegExp(`^[[【]${LIST}[\\]】]`);
/** Adjacent markers. */
const MARKERS = new RegExp(`^(?:[[【]${LIST}[\\]】]){0,60}`);
/** The start of a marker, or a whole one. */
const BEGINNING = /^[[【](?:\d{1,3}\s*[,，、;；–-]\s*)*(?:\d{1,3}(?:\s*|[\]】]))?$/;
/** The maximum length of a marker, in characters. */
const MAX_MARKER_LENGTH = 200;
/** The maximum length of a range. No prompt offers more passages. */
const MAX_RANGE = 20;

/** Letters and digits of scripts that separate their words. */
const WORD_CHARACTER = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}_`;
/**
 * Matches text after which brackets aren't a marker: `[3] = 2`, `x = [1]`, `$[3]`, `f/[3]`, `[x][3]`, and
 * JSON keys.
 */
const NO_MARKER_AFTER = /[\]】{}$\\@#=&<+^%/]$|=\s$|["']\s*:\s*$/;
const GLUED = new RegExp(`[${WORD_CHARACTER})"']$`, 'u');
const WORD = new RegExp(`[${WORD_CHARACTER}$.]+$`, 'u');
/** Matches `x`, `process.argv`, `row_2`, and `lastRow`, but not `2020` or `3.7`. */
const IDENTIFIER = /^\D$|[_$]|\p{L}\.|\p{Ll}[\d\p{Lu}]/u;
const USUAL_IDENTIFIER =
  /^(?:args?|argv|params?|arr(?:ay)?s?|lists?|rows?|cols?|columns?|cells?|lines?|items?|elements?|entries|keys?|values?|data|results?|buf(?:fer)?|bytes?|tokens?|words?|parts?|groups?|match(?:es)?|nums?|numbers?|points?|nodes?|tuples?|vec(?:tor)?s?|matrix|grid|table|map|dict|index|indices|idx|pos|out|res|tmp|str|path|input|inputs|output|outputs|weights?|labels?|shape|options|fields?)$/i;
/** Matches words that announce something else in brackets. */
const NAMED = /(?:\b(?:arrays?|tuples?|matrix|vector)|数组|矩阵|下标|索引|向量|元组)\s?$/i;
const INTERVAL = /(?:\b(?:intervals?|range|between|within|domain)|区间|范围|之间)\s?$/i;
const TWO_NUMBERS = /^.\d+\s*[,，;；]\s*\d+.$/;
const NO_MARKER_BEFORE = new RegExp(`^[${WORD_CHARACTER}({=$]`, 'u');
/** Matches the end of a sentence or of one of its parts, or another marker. */
export const ENDS_PART =
  /^(?:$|\s*\n|[.,;:!?…]+(?:$|[\s"'”’)*_[【])|[。，；：！？、)）”’]| {0,20}(?:$|[|[【]))/;
/** Matches text that decides nothing yet, because the deciding text may follow. */
const MAY_END_PART = /^(?:[.,;:!?…]{0,20}| {0,20})$/;

/** Returns the marker at the start of a text. */
export function readMarker(text: string): string | undefined {
  const marker = MARKER.exec(text)?.[0];
  return marker === undefined || marker.length > MAX_MARKER_LENGTH ? undefined : marker;
}

/**
 * Returns whether a text is a marker or may become one. The stream of an answer holds it back until it's
 * complete.
 */
export function mayBecomeMarker(text: string): boolean {
  return text.length <= MAX_MARKER_LENGTH && BEGINNING.test(text);
}

/**
 * Returns whether brackets with numbers are a citation at their position in a text. `args[2]` is an index,
 * `[1](address)` a link, and `interval [1, 5]` an interval. Without a space before it (`glued`), a marker
 * must end a part of the sentence, and follow a word that doesn't look like an identifier, because models
 * also write `at night[1].` Returns `undecided` if the result depends on more text.
 */
export function isMarkerAt(
  before: string,
  marker: string,
  after: string,
  isWhole: boolean,
): 'yes' | 'glued' | 'no' | 'undecided' {
  if (numbersOf(marker).length === 0 || namesOther(before, marker)) return 'no';
  if (after === '' && !isWhole) return 'undecided';
  if (NO_MARKER_BEFORE.test(after)) return 'no';
  if (!GLUED.test(before)) return 'yes';
  if (isIdentifier(before)) return 'no';
  const next = after.slice(MARKERS.exec(after)?.[0].length);
  if (!isWhole && (MAY_END_PART.test(next) || mayBecomeMarker(next))) return 'undecided';
  return ENDS_PART.test(next) ? 'glued' : 'no';
}

function namesOther(before: string, marker: string): boolean {
  if (NO_MARKER_AFTER.test(before) || NAMED.test(before)) return true;
  return TWO_NUMBERS.test(marker) && INTERVAL.test(before);
}

function isIdentifier(before: string): boolean {
  const word = (WORD.exec(before)?.[0] ?? '').replace(/^_+|_+$/g, '');
  return IDENTIFIER.test(word) || USUAL_IDENTIFIER.test(word);
}

/**
 * Returns the numbers of a complete marker: `[1, 3-5]` → 1, 3, 4, 5. Empty for a list that contains zero,
 * such as the interval `[0, 1]`.
 */
export function numbersOf(marker: string): number[] {
  const numbers = marker.length > MAX_MARKER_LENGTH ? [] : readNumbers(marker.slice(1, -1));
  return numbers.length > 1 && numbers.includes(0) ? [] : numbers;
}

function readNumbers(list: string): number[] {
  return list.split(/[,，、;；]/).flatMap((item) => {
    const ends = item.split(/[–-]/).map(Number);
    const [first = 0, last = first] = ends;
    return ends.length === 2 ? numbersBetween(first, last) : ends;
  });
}

/** Returns the numbers of a range; for an implausible range, only its two ends. */
export function numbersBetween(first: number, last: number): number[] {
  const length = last - first + 1;
  if (length < 1 || length > MAX_RANGE) return [first, last];
  return Array.from({ length }, (_, step) => first + step);
}
