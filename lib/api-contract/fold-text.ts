/** A text in which equivalent spellings are equal, with a mapping back to positions in its source. */
export interface FoldedText {
  text: string;
  /**
   * Returns the position in the source of a range of `text`; undefined if the range starts or ends inside an
   * original character.
   */
  placeOf(start: number, end: number): Place | undefined;
  /** Returns the position in `text` at, or next to, a position in the source. */
  foldedAt(offset: number): number;
}

interface Place {
  start: number;
  end: number;
}

export interface FoldOptions {
  /**
   * `spelling` (default) unifies forms that readers don't distinguish, such as composed letters, ligatures,
   * widths, invisible characters, white space, dashes, and quotation marks. Case, accents, and superscript
   * digits stay. `search` also ignores case and accents. `letters` unifies only the spelling of words, for
   * callers that handle punctuation themselves.
   */
  as?: 'spelling' | 'search' | 'letters';
  /** Whether a word hyphenated at a line end loses its hyphen; true by default. It always loses the line break. */
  joined?: boolean;
}

/**
 * Scripts in which marks may be only accents or optional vowels. In other scripts, marks are letters, or
 * distinguish words.
 */
const ACCENTED =
  '[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Syriac}]';
/** Includes the strokes that only stretch a word in Arabic and N'Ko. */
const INVISIBLE = '[\\p{Default_Ignorable_Code_Point}\\u0640\\u07FA]';
const UNSPACED = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー，。、；：！？（）「」『』《》]';
/** Letter modifiers, the acute, and the geresh, which writers use as an apostrophe. */
const QUOTES = '[\\p{Quotation_Mark}ʻʼ´\\u05F3\\u05F4]';
/** Gershayim, which mark an abbreviation in Hebrew and are often typed as a quotation mark. */
const GERSHAYIM = '(?<=\\p{Script=Hebrew})["“”\\u05F4](?=\\p{Script=Hebrew})';
const LONG_DASH = '[—―⸺⸻︱﹘]';
/** Dashes, but no superscript or subscript signs, which mean something else: `10⁻³` isn't `10-3`. */
const DASH = '(?![⁻₋])\\p{Dash}';

/** Everything in words that may fold to other text. Text outside these matches changes only in case. */
const WORD_PIECES = [
  `(?<divided>(?<=\\p{L}\\p{M}*)[-\\u00AD\\u2010\\u058A][^\\S\\n]*\\n[^\\S\\n]*(?=\\p{Ll}))`,
  `(?<syllable>(?=\\p{L})\\p{Script=Hangul}[\\u1160-\\u11FF\\uD7B0-\\uD7FF]+)`,
  `(?<marked>(?!\\s)\\P{M}(?:${INVISIBLE}*[\\p{M}\\uFF9E\\uFF9F])+)`,
  `(?<gone>${INVISIBLE}+|${GERSHAYIM})`,
];
const SIGN_PIECES = [
  `(?<unspaced>(?<=${UNSPACED})\\s+(?=${UNSPACED}))`,
  `(?<dash>\\s*(?:${LONG_DASH}+|--+)\\s*|\\s+${DASH}\\s+)`,
  `(?<space>\\s{2,}|(?! )\\s)`,
  `(?<hyphen>(?!-)${DASH})`,
  `(?<quote>(?!')${QUOTES})`,
];
const CHANGING = '(?![\\x00-\\x7F])\\p{Changes_When_NFKC_Casefolded}';
const anyOf = (...pieces: string[]) => new RegExp(pieces.join('|'), 'gu');
const PIECES = {
  spelling: anyOf(...WORD_PIECES, ...SIGN_PIECES, `(?<letter>${CHANGING})`),
  search: anyOf(...WORD_PIECES, ...SIGN_PIECES, `(?<letter>${CHANGING}|(?![a-zA-Z])${ACCENTED})`),
  letters: anyOf(...WORD_PIECES, `(?<letter>(?=${CHANGING})\\p{L})`),
};
/**
 * The part of these characters that may occur in ASCII. Most texts are ASCII, and searching them for less is
 * ten times as fast.
 */
const ASCII_WORDS = ['(?<divided>(?<=[A-Za-z])-[^\\S\\n]*\\n[^\\S\\n]*(?=[a-z]))'];
const ASCII_SIGNS = ['(?<dash>\\s*--+\\s*|\\s+-\\s+)', '(?<space>\\s{2,}|(?! )\\s)', '(?<quote>")'];
const ASCII_PIECES = {
  spelling: anyOf(...ASCII_WORDS, ...ASCII_SIGNS),
  search: anyOf(...ASCII_WORDS, ...ASCII_SIGNS),
  letters: anyOf(...ASCII_WORDS),
};
const IS_ASCII = /^\p{ASCII}*$/u;

/**
 * Folds a text by Unicode's own data: its normalization forms, properties, and root collation. Takes linear
 * time.
 */
export function foldText(source: string, { as = 'spelling', joined = true }: FoldOptions = {}): FoldedText {
  const isSearch = as === 'search';
  const pieces: Piece[] = [];
  let text = '';
  let from = 0;
  for (const match of source.matchAll((IS_ASCII.test(source) ? ASCII_PIECES : PIECES)[as])) {
    const { 0: written, index } = match;
    const same = source.slice(from, index);
    text += isSearch ? same.toLowerCase() : same;
    from = index + written.length;
    const folded = foldPiece(match, isSearch, joined);
    if (folded.length !== 1 || written.length !== 1)
      pieces.push({ at: text.length, to: text.length + folded.length, start: index, end: from });
    text += folded;
  }
  const rest = source.slice(from);
  text += isSearch ? rest.toLowerCase() : rest;
  return {
    text,
    placeOf: (start, end) => placeOf(pieces, start, end),
    foldedAt(offset) {
      const { start = 0, end = 0, to = 0 } = pieces[lastUpTo(pieces, 'start', offset)] ?? {};
      return start <= offset && offset < end ? to : to + offset - end;
    },
  };
}

/** Folds words or short texts for comparison without case and accents. */
export function foldForSearch(text: string): string {
  return IS_PLAIN.test(text) ? text.toLowerCase() : foldText(text, { as: 'search' }).text;
}

/** Matches most words and short texts: ASCII in which nothing folds, except for case. */
const IS_PLAIN = /^(?!.*(?:--| -| {2}))[ !#-~]*$/;

/** A range of the source, and the corresponding range of the folded text. */
interface Piece extends Place {
  at: number;
  to: number;
}

function placeOf(pieces: Piece[], start: number, end: number): Place | undefined {
  const first = pieces[lastUpTo(pieces, 'at', start)];
  const last = pieces[lastUpTo(pieces, 'at', end - 1)];
  if (first !== undefined && first.at < start && start < first.to) return undefined;
  if (last !== undefined && end < last.to) return undefined;
  const isFirst = first !== undefined && start < first.to;
  return {
    start: isFirst ? first.start : (first?.end ?? 0) + start - (first?.to ?? 0),
    end: (last?.end ?? 0) + end - (last?.to ?? 0),
  };
}

/**
 * Returns the index of the last piece that starts at or before a position of the source or of the folded text; -1 if
 * there is none.
 */
function lastUpTo(pieces: Piece[], edge: 'at' | 'start', place: number): number {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pieces[middle]?.[edge] ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Maps each group of signs to its folded form. */
const SIGNS = Object.entries({ gone: '', unspaced: '', dash: ' - ', space: ' ', hyphen: '-' });

function foldPiece(
  { 0: written, groups = {} }: RegExpMatchArray,
  isSearch: boolean,
  joined: boolean,
): string {
  if (groups.divided !== undefined) return joined ? '' : '-';
  for (const [name, sign] of SIGNS) if (groups[name] !== undefined) return sign;
  if (groups.quote === undefined) return isSearch ? searchLetter(written) : plainLetter(written);
  return isSearch && !/[‘’‛＇ʻʼ´\u05F3]/.test(written) ? '"' : "'";
}

/** Matches superscript signs, which have their own meaning: `10²` isn't `102`. */
const RAISED_SIGN = /[\p{No}⁺⁻⁼⁽⁾₊₋₌₍₎]/u;
/** Matches full-width punctuation between clauses. Half-width marks also occur within numbers and times. */
const WIDE_MARK = /[，：；！？（）]/;
const RAISED_LETTER = /[ªº™℠]|(?![\uFF66-\uFF9F])\p{Lm}/u;
const ALL_INVISIBLE = new RegExp(INVISIBLE, 'gu');

/** Returns the same composed letter for all equivalent spellings. */
function plainLetter(written: string, isSearch = false): string {
  const letter = written.replace(ALL_INVISIBLE, '').normalize('NFC');
  if (RAISED_SIGN.test(letter) || WIDE_MARK.test(letter)) return letter;
  if (!isSearch && RAISED_LETTER.test(letter)) return letter;
  const plain = letter.normalize('NFKC');
  return plain.startsWith(' ') ? letter : plain; // alone, `¨` would become a space with a mark
}

const MAX_KNOWN = 20_000;
const known = new Map<string, string>();

function searchLetter(written: string): string {
  const before = known.get(written);
  if (before !== undefined) return before;
  if (known.size >= MAX_KNOWN) known.clear();
  const folded = toSearchLetter(written);
  known.set(written, folded);
  return folded;
}

const LETTERS = /\P{M}\p{M}*/gu;

/** `㎏` and `™` are words of their own. */
function toSearchLetter(written: string): string {
  const small = plainLetter(written, true).toUpperCase().toLowerCase().replaceAll('ς', 'σ'); // `ß` is `SS`
  const bare = small.normalize('NFC').replace(LETTERS, withoutAccents);
  return /\p{So}/u.test(written) && bare.length > 1 ? ` ${bare} ` : bare;
}

const IS_ACCENTED = new RegExp(`^${ACCENTED}`, 'u');
/** Letters whose marks most writers omit. */
const OPTIONAL: Record<string, string> = { ё: 'е', أ: 'ا', إ: 'ا', آ: 'ا', ٱ: 'ا' };

/**
 * In Latin and Greek, marks are accents. In other scripts, a mark that composes makes another letter, as in
 * `й`; stress marks and vowel points don't compose.
 */
function withoutAccents(letter: string): string {
  if (!IS_ACCENTED.test(letter)) return letter;
  const [base = '', ...marks] = letter.normalize('NFD');
  if (/[\p{Script=Latin}\p{Script=Greek}]/u.test(base)) return asciiOf(base) ?? base;
  const kept = marks.reduce(
    (so, mark) => ([...(so + mark).normalize('NFC')].length === 1 ? so + mark : so),
    base,
  );
  const composed = kept.normalize('NFC');
  return OPTIONAL[composed] ?? composed;
}

/** Compares by the primary weights of Unicode, which `ø` shares with `o`. */
const { compare } = new Intl.Collator('und', { sensitivity: 'base' });
const ASCII = [...'abcdefghijklmnopqrstuvwxyz'];

/** Returns `o` for `ø` and `ae` for `æ`, which have no decomposition. */
function asciiOf(letter: string): string | undefined {
  if (!/(?![a-z])\p{Script=Latin}/u.test(letter)) return undefined;
  const same = (one: string) => compare(one, letter) === 0;
  return ASCII.find(same) ?? ASCII.flatMap((one) => ASCII.map((other) => one + other)).find(same);
}
