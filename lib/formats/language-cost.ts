/** The improbability of a text (the negative logarithm of its probability), and its number of bytes. */
export interface Cost {
  nats: number;
  bytes: number;
}

/** The cost in nats of a character that isn't a letter of the language, or is in an unlikely place. */
const SYMBOL = 10;
const SIGN = 5;
const QUOTE = 6;
const FOREIGN = 12;
export const OTHER_SCRIPT = 8;
const OTHER_CASE = 5;

const QUOTES = /[\p{Pd}\p{Pi}\p{Pf}\u00a0\u00ad\u2026\u201a\u201e]/u;
const SIGNS =
  /[\u00a3\u00a7\u00a9\u00aa\u00ae\u00b0-\u00b3\u00b5\u00b7\u00ba\u00bc-\u00be\u00d7\u2022\u20ac\u2116\u2122]/;
/** The cost in nats of a single letter, which is often a symbol in another encoding. */
const LONE = 6;
const LONE_LETTER = /(?<![\p{L}\p{M}])(?![\0-\x7f\u00aa\u00b5\u00ba])[\p{L}\p{M}](?![\p{L}\p{M}])/gu;
/** The cost in nats of a dash, quotation mark, or ellipsis between ASCII characters: as low as a letter's. */
const AMONG_ASCII = 2;
const QUOTE_AMONG_ASCII = /(?<![^\0-\x7f])[\u2013\u2014\u2018\u2019\u201c\u201d\u2026](?![^\0-\x7f])/gu;
const LETTERS = /(?![\0-\x7f\u00aa\u00b5\u00ba])[\p{L}\p{M}]/gu;
const NEVER_JOINED = /\d|[\u00b1-\u00b3\u00b9\u00bc-\u00be]\p{L}/u;
/** Symbols that Unicode counts as letters: ª, µ, º. */
const LETTER_SIGNS = /[\u00aa\u00b5\u00ba]/;
const LETTER = /[\p{L}\p{M}]/u;
const LATIN = /\p{Script=Latin}/u;
/** The weight of the pair with the previous letter. The rest is the weight of the letter's own frequency. */
const PAIR_SHARE = 0.75;

/** Returns the lowest cost in any of the languages, for all non-ASCII characters and the ASCII next to them. */
export function costInLanguages(languages: string[], text: string): Cost {
  const { nats, bytes, pairs } = pairsOf(text);
  const inEach = languages.map((language) => natsOf(pairs, modelOf(language)));
  return { nats: nats + Math.min(...inEach), bytes };
}

/** True if all non-ASCII characters are symbols or quotation marks. */
export function hasOnlySigns(text: string): boolean {
  return Array.from(text).every((each) => each <= '\x7f' || QUOTES.test(each) || SIGNS.test(each));
}

/** A letter after another one. A space stands for everything between words. */
interface Pair {
  last: string;
  next: string;
  count: number;
}

/** The language-independent cost of a text, and its pairs of letters. */
function pairsOf(text: string): Cost & { pairs: Pair[] } {
  const pairs = new Map<string, Pair>();
  const quotes = text.match(QUOTE_AMONG_ASCII)?.length ?? 0;
  const cost = { nats: loneNats(text) - AMONG_ASCII * quotes, bytes: 0 };
  let before = ' ';
  for (const character of text) {
    if (character > '\x7f' || before > '\x7f') {
      cost.bytes++;
      cost.nats += takePair(pairs, before, character);
    }
    before = character;
  }
  return { ...cost, pairs: [...pairs.values()] };
}

/** In a text, few letters stand alone. If most do, they probably aren't letters. */
function loneNats(text: string): number {
  const lone = text.match(LONE_LETTER)?.length ?? 0;
  const all = text.match(LETTERS)?.length ?? 0;
  return lone === 0 ? 0 : (LONE * lone * lone) / all;
}

function takePair(pairs: Map<string, Pair>, before: string, character: string): number {
  const followsLetter = isLetter(before);
  if (character > '\x7f' && !isLetter(character)) return symbolNats(character, followsLetter);
  const last = followsLetter ? before.toLowerCase() : ' ';
  const next = isLetter(character) ? character.toLowerCase() : ' ';
  const pair = pairs.get(last + next) ?? { last, next, count: 0 };
  pairs.set(last + next, pair);
  pair.count++;
  return breachNats(before, character);
}

function natsOf(pairs: Pair[], model: Model): number {
  let nats = 0;
  for (const { last, next, count } of pairs) {
    const single = (model.letters.get(next) ?? 0) / model.total;
    const pair = (model.pairs.get(last + next) ?? 0) / (model.letters.get(last) ?? 1);
    const share = PAIR_SHARE * pair + (1 - PAIR_SHARE) * single;
    nats += count * (single === 0 ? FOREIGN : -Math.log(share));
  }
  return nats;
}

function isLetter(character: string): boolean {
  return LETTER.test(character) && !LETTER_SIGNS.test(character);
}

/**
 * Within a word, letters have one script, and after a lowercase letter comes no capital, digit, or fraction.
 */
function breachNats(before: string, character: string): number {
  if (!isLetter(before) || !isLetter(character))
    return NEVER_JOINED.test(before + character) ? OTHER_CASE : 0;
  const isOtherScript = LATIN.test(before) !== LATIN.test(character);
  const isOtherCase = character.toLowerCase() !== character && before.toUpperCase() !== before;
  return (isOtherScript ? OTHER_SCRIPT : 0) + (isOtherCase ? OTHER_CASE : 0);
}

function symbolNats(character: string, followsLetter: boolean): number {
  if (QUOTES.test(character)) return QUOTE;
  return SIGNS.test(character) && !followsLetter ? SIGN : SYMBOL;
}

/** The frequencies of a language's letters and pairs. A space stands for everything between words. */
interface Model {
  letters: Map<string, number>;
  pairs: Map<string, number>;
  total: number;
}

const models = new Map<string, Model>();

function modelOf(language: string): Model {
  const known = models.get(language) ?? learn(language);
  models.set(language, known);
  return known;
}

function learn(language: string): Model {
  const model: Model = { letters: new Map(), pairs: new Map(), total: 0 };
  for (const name of namesIn(language)) {
    let before = ' ';
    for (const letter of `${asWritten(name).replace(/[^\p{L}\p{M}]+/gu, ' ')} `) {
      increase(model.letters, letter);
      increase(model.pairs, before + letter);
      model.total++;
      before = letter;
    }
  }
  return model;
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Encodings older than Unicode 3 use cedillas instead of Romanian commas. */
function asWritten(name: string): string {
  return name.toLowerCase().replaceAll('\u0219', '\u015f').replaceAll('\u021b', '\u0163');
}

const ALPHABET = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index));
const CODES = ALPHABET.flatMap((first) => ALPHABET.map((second) => first + second));

/** Returns the runtime's own names of languages, regions, and currencies: some 6,000 letters per language. */
function namesIn(language: string): string[] {
  const [languages, regions, currencies] = (['language', 'region', 'currency'] as const).map(
    (type) => new Intl.DisplayNames(language, { type, fallback: 'none' }),
  );
  return [
    ...CODES.flatMap((code) => [languages?.of(code), regions?.of(code.toUpperCase())]),
    ...Intl.supportedValuesOf('currency').map((code) => currencies?.of(code)),
  ].filter((name) => name !== undefined);
}
