import { blankAll, placed } from './blank-all.ts';
import { boundOf, isSameBound } from './bounds.ts';
import { foreignNumber, readForeignNumber } from './foreign-numbers.ts';
import { HALVES, readHalves } from './halves.ts';
import type { Language } from './language.ts';
import {
  CHINESE_NUMBER,
  ENGLISH_NUMBER,
  ENGLISH_ORDINAL,
  MULTIPLIERS,
  readChineseNumber,
  readEnglishNumber,
} from './number-words.ts';
import { MULTIPLES, PARTS, readMultiple, readPart, saysPart } from './parts.ts';
import type { Quantity } from './quantity.ts';
import { isSameRate, rateAfter } from './rates.ts';
import { CURRENCY_CODES, currencyOf, factorBetween, namesUnit, unitAt } from './units.ts';

const GROUPS =
  "\\d{1,3}(?:(?<mark>[,'’ \\u00A0\\u2009\\u202F])\\d{3}(?:\\k<mark>\\d{3})*)(?!\\d)(?:\\.\\d+)?";
const POINT_GROUPS = '\\d{1,3}(?:\\.\\d{3}){2,}(?!\\d)(?:,\\d+)?|\\d{1,3}(?:\\.\\d{3})+,\\d+';
const COMMA_DECIMAL = '\\d+,(?:\\d{1,2}|\\d{4,})(?![\\d,])';
const PLAIN = '\\d+(?:\\.\\d+)?|\\.\\d+';
const POWER =
  '(?:\\s?[x×·*]\\s?10\\s?(?:\\^|\\*\\*)?\\s?(?<exponent>[-−]?\\d+|[⁻⁰¹²³⁴-⁹]+)|[eE](?<e>[-+]?\\d+)|(?:\\^|\\*\\*)(?<power>[-−]?\\d+))?';
const NUMBER = new RegExp(
  `(?<sign>(?<=^|[\\s(（:：,为是至到达])[-−]|(?<=^|[(（:：,]|[^\\d\\s]\\s)–|[负負])?(?<currency>(?:\\b[A-Z]{1,2})?[$]|\\p{Sc}|\\b(?:${CURRENCY_CODES})\\s?)?(?<!\\d|\\d[.,])(?<digits>${GROUPS}|${POINT_GROUPS}|${COMMA_DECIMAL}|${PLAIN})${POWER}`,
  'gu',
);
const SCALE =
  /^(?:[\s-]?(?:dozen|hundred|thousand|million|billion|trillion|lakh|crore)\b|\s?(?:mn|bn)\b|\s(?:millions|[Mm]illionen|Mio\.|millones|mill[oó]n|milh(?:ões|ão)|milion[ei]|miljoen|milliards?|[Mm]illiarden?|Mrd\.|mil millones|bilhões|miliard[oi]|miljard|mil(?= \p{Ll}))(?!\p{L})|[kKMBT](?![A-Za-z\d])|\s?(?:百万|千万|万亿|亿|万|百(?!分)|千(?![克米瓦兆卡帕伏]))(?!分之))/u;
const VERSION = /\s$(?<=(?:\b[A-Z][\w.+#]*|\bversion|\brelease)\s)/;

/**
 * Returns the numbers of a text, in digits and in English and Chinese words, with their units. Spaces must
 * have replaced dates and names.
 */
export function readNumbers(text: string, language?: Language): Quantity[] {
  const found: Quantity[] = [];
  let rest = text;
  const take = (pattern: RegExp, read: (match: RegExpMatchArray, rest: string) => Quantity | undefined) => {
    const taken = [...rest.matchAll(pattern)].flatMap((match) => read(match, rest) ?? []);
    found.push(...taken.map((one) => ({ ...one, text: text.slice(one.start, one.end).trim() })));
    rest = blankAll(rest, taken);
  };
  take(HUNDREDTHS, readHundredths);
  for (const pattern of HALVES) take(pattern, readHalves);
  for (const pattern of PARTS) take(pattern, readPart);
  for (const pattern of MULTIPLES) take(pattern, readMultiple);
  take(NUMBER, (match, left) => readDigits(match, left, language));
  take(ENGLISH_NUMBER, (match, left) => readWords(match, left, readEnglishNumber(match[0])));
  take(ENGLISH_ORDINAL, readOrdinal);
  take(CHINESE_NUMBER, readChinese);
  const foreign = foreignNumber(language);
  if (language !== undefined && foreign !== undefined)
    take(foreign, (match, left) => readWords(match, left, readForeignNumber(match[0], language)));
  const ordered = joinTimes(
    text,
    found.toSorted((a, b) => a.start - b.start),
  );
  const ends = endsOfRanges(text, ordered);
  return ordered
    .map((quantity, at) => (ends.has(at) ? { ...quantity, isEnd: true } : quantity))
    .map((quantity, at) => withScale(text, quantity, ordered[at + 1]))
    .map((quantity, at) => inherit(text, quantity, ordered[at + 1]))
    .map((quantity) => ({ ...quantity, rate: rateAfter(text, quantity.start, quantity.end) }));
}

/** Matches `百分之三十` and `百分之30`. */
const HUNDREDTHS =
  /百分之(?<number>\d+(?:\.\d+)?|[〇零一二三四五六七八九十百千万亿两]+(?:点[〇零一二三四五六七八九]+)?)/g;

function readHundredths({ 0: whole, index = 0, groups }: RegExpMatchArray): Quantity {
  const number = groups?.number ?? '';
  const value = /^\d/.test(number) ? Number(number) : readChineseNumber(number);
  return { ...placed(whole, index), value, units: ['%'], ordinal: false };
}

const LEAD = 32;
/** Words and signs that make a number negative. */
const NEGATIVE = /(?:\b(?:minus|negative|moins|menos|bajo cero|meno)\s|零下\s?|[负負])$/i;

/** Languages with a period as the thousands separator: `3.500`. */
const POINT_PARTS = new Set<Language | undefined>(['de', 'fr', 'es', 'it', 'pt', 'nl']);

const PARTED = /^[1-9]\d{0,2}\.\d{3}$/;

function isParted(digits: string, language: Language | undefined): boolean {
  return POINT_PARTS.has(language) && PARTED.test(digits);
}

function isAfterName(digits: string, before: string): boolean {
  return digits.includes('.') && VERSION.test(before.slice(-30));
}

function readDigits(match: RegExpMatchArray, rest: string, language: Language | undefined): Quantity {
  const { 0: whole, index = 0, groups = {} } = match;
  const { sign, currency, digits = '', exponent, e, power } = groups;
  const money = currency && currencyOf(currency.trim());
  const scaled = scaleAfter(rest, index + whole.length, money !== undefined);
  const isNegative = sign !== undefined || NEGATIVE.test(lead(rest, index));
  const raised = plainValue(digits, language) ** (power === undefined ? 1 : exponentOf(power));
  const factor = 10 ** exponentOf(exponent ?? e) * scaled.factor * (isNegative ? -1 : 1);
  const unit = money === undefined ? unitOf(rest, scaled.end) : { name: money, end: scaled.end };
  const ordinal = /^(?:st|nd|rd|th)\b/.exec(rest.slice(scaled.end));
  const isVersion = !isParted(digits, language) && isAfterName(digits, lead(rest, index));
  return {
    ...{ text: whole, start: index, end: unit?.end ?? scaled.end + (ordinal?.[0].length ?? 0) },
    ...{ value: raised * factor, units: unit === undefined ? [] : [unit.name] },
    ...otherReading(digits, factor, language),
    ordinal: ordinal !== null || /第\s?$/.test(lead(rest, index)),
    ...{ digits, isVersion, bound: boundOf(rest, index, unit?.end ?? scaled.end) },
  };
}

/** Returns another possible value. If the language is unknown, `1.930` may mean 1930. */
function otherReading(
  digits: string,
  factor: number,
  language: Language | undefined,
): Pick<Quantity, 'scaled'> {
  const isOpen = language === undefined && PARTED.test(digits);
  return isOpen ? { scaled: Number(digits.replace('.', '')) * factor } : {};
}

/**
 * Returns a short part of the text before a place, because reading all of it for each number takes quadratic
 * time.
 */
function lead(text: string, index: number): string {
  return text.slice(Math.max(0, index - LEAD), index);
}

function exponentOf(text: string | undefined): number {
  if (text === undefined) return 0;
  return Number(text.replace('−', '-').replace('⁻', '-').normalize('NFKC'));
}

/**
 * Parses digits. A comma separates thousands if three digits follow; otherwise, it separates decimals. For a
 * period, it's the other way around.
 */
function plainValue(digits: string, language: Language | undefined): number {
  if (isParted(digits, language)) return Number(digits.replace('.', ''));
  const bare = digits.replace(/['’\s]/g, '');
  const isPointGrouped = /^\d{1,3}(?:\.\d{3}){2,}|\.\d{3},/.test(bare);
  if (isPointGrouped) return Number(bare.replaceAll('.', '').replace(',', '.'));
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(bare)) return Number(bare.replaceAll(',', ''));
  return Number(bare.replace(',', '.'));
}

/** Returns the scale after a number. `$5m` is an amount of money, `5m` a length. */
function scaleAfter(text: string, at: number, isMoney: boolean): { factor: number; end: number } {
  if (isMoney && /^\s?m(?![\p{L}\d])/u.test(text.slice(at)))
    return { factor: 1e6, end: text.indexOf('m', at) + 1 };
  const [found = ''] = SCALE.exec(text.slice(at, at + 12)) ?? [];
  const word = found.replace(/^[\s-]/, '');
  const factor = MULTIPLIERS[word] ?? foreignScale(word);
  return { factor: factor ?? 1, end: at + (factor === undefined ? 0 : found.length) };
}

function foreignScale(word: string): number | undefined {
  if (word === 'mil') return 1e3;
  if (/^(?:milliard|miliard|miljard|mrd|mil millones|bilh)/i.test(word)) return 1e9;
  return /^(?:mill|mio|milh|milion|miljoen)/i.test(word) ? 1e6 : undefined;
}

function unitOf(text: string, at: number): { name: string; end: number } | undefined {
  const found = unitAt(text.slice(at, at + 34));
  return found && { name: found.name, end: at + found.length };
}

function readWords({ 0: whole, index = 0 }: RegExpMatchArray, rest: string, value: number): Quantity {
  const end = index + whole.length;
  const unit = unitOf(rest, end);
  return {
    ...{ text: whole, start: index, end: unit?.end ?? end },
    value: NEGATIVE.test(lead(rest, index)) ? -value : value,
    ...{ units: unit === undefined ? [] : [unit.name], ordinal: false },
    bound: boundOf(rest, index, unit?.end ?? end),
  };
}

function readOrdinal(match: RegExpMatchArray, rest: string): Quantity {
  return { ...readWords(match, '', readEnglishNumber(match[0])), units: [], ordinal: rest !== '' };
}

/** Matches idioms that contain a numeral but no quantity. */
const IDIOM =
  /^(?:十分(?!之|钟|[\d])|万一|百度|四川|三角|九江|千万(?=不|要|别)|一[一般些样定起直旦致种切同时边方面并律概再共度体旦]|五金|七夕|八卦|百姓|百科|万维|千兆|千字文|四季|四周|三明|六安|万物|万能|千古|四肢|零下)/;

function readChinese(match: RegExpMatchArray, rest: string): Quantity | undefined {
  const { 0: whole, index = 0 } = match;
  if (IDIOM.test(rest.slice(index, index + 4)) || /[统唯之专单]$/.test(lead(rest, index))) return undefined;
  const value = readChineseNumber(whole);
  if (
    rest.charAt(index + whole.length) === '成' &&
    !/^成[为功立员本果长分]/.test(rest.slice(index + whole.length))
  )
    return { ...placed(`${whole}成`, index), value: value * 10, units: ['%'], ordinal: false };
  const quantity = readWords(match, rest, value);
  return { ...quantity, ordinal: /第\s?$/.test(lead(rest, index)) };
}

/**
 * Matches the text between two numbers that share a scale and a unit, in any language: a sign or a short
 * word, but not the end of a clause.
 */
const BETWEEN_TWO =
  /^\s*(?:[-–—~～/]|\p{Script=Latin}{1,3}|\p{Script=Cyrillic}{1,3}|\p{Script=Han}{0,2}[到至和或及]|から)\s*[$€£¥]?$/u;

/** From this value on, the start of a range has a scale of its own: `from 900,000 to 1.2 million`. */
const MOST_SCALED = 1000;

/** In `From 5.1 to 4.2 billion`, the scale of the second number may also apply to the first. */
function withScale(text: string, quantity: Quantity, next: Quantity | undefined): Quantity {
  const { digits, value } = quantity;
  if (next?.digits === undefined || digits === undefined || value >= MOST_SCALED) return quantity;
  if (!BETWEEN_TWO.test(text.slice(quantity.end, next.start))) return quantity;
  const end = next.start + next.text.indexOf(next.digits) + next.digits.length;
  const { factor } = scaleAfter(text, end, false);
  if (factor === 1 || quantity.text.length > digits.length) return quantity;
  return { ...quantity, scaled: value * factor };
}

function inherit(text: string, quantity: Quantity, next: Quantity | undefined): Quantity {
  if (next === undefined || quantity.units.length > 0 || quantity.ordinal || next.units.length === 0)
    return quantity;
  return BETWEEN_TWO.test(text.slice(quantity.end, next.start))
    ? { ...quantity, units: ['', ...next.units] }
    : quantity;
}

const FROM_TO = /^\s*(?:-|–|—|~|～|to|至|到)\s*[$€£¥]?$/;
/** Matches a year, as in `In 2023 to 4 million euros`. */
const YEAR = /^(?:1[5-9]|20)\d\d$/;
/** Matches words before a change, which isn't a range: `from 5 to 10 percent`. */
const CHANGES = /(?:\b(?:from|rose|fell|grew)|[从由自])\s*$/i;

/**
 * Returns the places of numbers that are ends of a range with a unit. Without a unit, they may be a score or a name.
 */
function endsOfRanges(text: string, ordered: Quantity[]): Set<number> {
  return new Set(
    ordered.slice(1).flatMap((next, at) => {
      const { start, end, digits = '', units } = ordered[at] as Quantity;
      if (units.length === 0 && YEAR.test(digits)) return [];
      const [before, between] = [lead(text, start), text.slice(end, next.start)];
      const isRange = FROM_TO.test(between) && !CHANGES.test(before);
      const isBetween = /^\s*and\s*$/.test(between) && /\bbetween\s*$/i.test(before);
      return next.units.length > 0 && (isRange || isBetween) ? [at, at + 1] : [];
    }),
  );
}

/** Matches words with which a sentence names one end of a range. */
const NAMES_END =
  /\b(?:up|least|most|max\w*|min\w*|from|between|lower|upper|low|high|lowest|highest|much|many|starts?|ends?|rang\w+|reach\w*)\b|[至最起]|[上下]限/i;

function isSameEnd(fact: Quantity, other: Quantity, sentence: string): boolean {
  return other.isEnd !== true || fact.isEnd === true || fact.bound !== undefined || NAMES_END.test(sentence);
}

const JOINED = /^\s*(?:(?:,|and|und|et|y|e)\s*)?$/u;

/** Joins `1 hour 30 minutes` into one duration. */
function joinTimes(text: string, ordered: Quantity[]): Quantity[] {
  const joined: Quantity[] = [];
  for (const next of ordered) {
    const last = joined.at(-1);
    const factor = last === undefined ? undefined : partOf(last, next);
    if (last === undefined || factor === undefined || !JOINED.test(text.slice(last.end, next.start)))
      joined.push(next);
    else
      joined.splice(-1, 1, {
        ...last,
        text: text.slice(last.start, next.end),
        end: next.end,
        value: last.value + next.value * factor,
      });
  }
  return joined;
}

const PARTS_OF_TIME = ['hour minute', 'minute second', 'day hour', 'year month'];

function partOf({ units: [unit = ''], value }: Quantity, next: Quantity): number | undefined {
  const [smaller = ''] = next.units;
  const isPart = PARTS_OF_TIME.includes(`${unit} ${smaller}`) && Number.isInteger(value);
  return isPart && !next.ordinal ? factorBetween(smaller, unit) : undefined;
}

const DECREASE =
  /\b(?:fell|falls?|fallen|drop\w*|decreas\w*|declin\w*|reduc\w*|lower\w*|below|minus|negative|loss\w*|lost|less|shrank|shr[iu]nk\w*|cut|down)\b|[降减跌低负亏缩少]/i;

interface Said {
  text: string;
  quantities: Quantity[];
}

/** Returns whether a text contains a number of a sentence: the same value, unrounded, in the same unit. */
export function saysQuantity(fact: Quantity, sentence: string, said: Said): boolean {
  if (saysPart(fact, said.quantities)) return true;
  return said.quantities.some(
    (other) =>
      (isConverted(fact, other) || isSameValue(fact, other, sentence, said.text)) &&
      isSameBound(fact.bound, other.bound) &&
      isSameRate(fact.rate, other.rate) &&
      isSameEnd(fact, other, sentence) &&
      (fact.isVersion !== true || fact.digits === other.digits) &&
      (isConverted(fact, other) || isSameUnit(fact, other, said.text)),
  );
}

/** Returns whether two amounts are the same in exactly convertible units: `90 minutes`, `1.5 hours`. */
function isConverted(fact: Quantity, other: Quantity): boolean {
  const [unit, had] = [fact.units[0], other.units[0]];
  if (unit === undefined || had === undefined || unit === had) return false;
  const factor = factorBetween(had, unit);
  return factor !== undefined && nearlyEqual(fact.value, other.value * factor);
}

/** Units of temperature: `it fell to five degrees` doesn't mean below zero. */
const DEGREES = new Set(['degree', 'celsius', 'fahrenheit', 'kelvin']);

/** Returns the values that a number may have. */
export function valuesIn({ value, scaled }: Quantity): number[] {
  return scaled === undefined ? [value] : [scaled, value];
}

/** `fell by 5 %` matches `−5 %`, and the reverse. */
function isSameValue(a: Quantity, b: Quantity, ofA: string, ofB: string): boolean {
  if (valuesIn(a).some((one) => valuesIn(b).some((other) => nearlyEqual(one, other)))) return true;
  if (a.units.some((unit) => DEGREES.has(unit))) return false;
  return nearlyEqual(a.value, -b.value) && DECREASE.test(a.value < 0 ? ofB : ofA);
}

/** Allows for the rounding error of decimals multiplied by powers of ten. */
function nearlyEqual(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
}

/** Returns whether temperatures may have the same scale. `Minus 8 degrees` doesn't name one. */
function isSameDegree({ units: [unit] }: Quantity, { units: [had = ''] }: Quantity): boolean {
  return unit === 'degree' && /^(?:celsius|fahrenheit)$/.test(had);
}

/** In `Aged 10 to 24`, the numbers are years. */
const AGED = /\bage[ds]?\b/iu;

function isSameUnit(fact: Quantity, other: Quantity, text: string): boolean {
  if (fact.ordinal && !other.ordinal) return other.units.length === 0;
  const [wanted, had] = [fact, other].map(({ units }) => (units.length === 0 ? [''] : units));
  if (wanted?.some((unit) => had?.includes(unit))) return true;
  if (isSameDegree(fact, other)) return true;
  if (other.units.length === 0 && wanted?.includes('year') && AGED.test(text)) return true;
  return other.units.length === 0 && wanted?.some((unit) => namesUnit(text, unit)) === true;
}
