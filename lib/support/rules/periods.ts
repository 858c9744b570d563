import { blankAll, placed } from './blank-all.ts';
import { anyOf, DAY_NAMES, SHORT_DAY_NAMES } from './calendar-names.ts';
import { readChineseNumber, readEnglishNumber } from './number-words.ts';

/** A quarter, a century, a decade, a weekday, or a time of day. */
export interface PeriodFact {
  text: string;
  kind: string;
  number: number;
  /** Whether a time may be a.m. or p.m. */
  isEither?: boolean;
}

const SHORT = anyOf(SHORT_DAY_NAMES.keys());
const HAN_DAYS = '一二三四五六日';
const ORDINAL = '\\d{1,2}(?:st|nd|rd|th)|(?:twenty[- ])?(?:first|second|third|[a-z]+th)';
const HAN = '\\d{1,2}|[一二三四五六七八九十]{1,3}';
const NINETIES = 'twenties thirties forties fifties sixties seventies eighties nineties'.split(' ');

const FORMS: [kind: string, form: RegExp][] = [
  ['quarter', /(?<![\p{L}\d])Q(?<number>[1-4])(?!\d)/gu],
  ['quarter', /\b(?<number>first|second|third|fourth|[1-4](?:st|nd|rd|th)) quarter\b/giu],
  ['quarter', /第?(?<number>[一二三四1-4])季度/gu],
  ['century', new RegExp(`\\b(?<number>${ORDINAL})[- ]century\\b`, 'giu')],
  ['century', new RegExp(`(?<number>${HAN})\\s?世纪`, 'gu')],
  ['decade', /(?<![\p{L}\d])(?<number>(?:1\d|20)\d0)['’]?s\b|\bthe ['’]?(?<number>[2-9]0)['’]?s\b/gu],
  ['decade', new RegExp(`\\b(?<number>${NINETIES.join('|')})\\b`, 'giu')],
  ['decade', /(?<number>\d0|[二三四五六七八九]十)\s?年代/gu],
  ['weekday', new RegExp(`(?<!\\p{L})(?<day>${anyOf(DAY_NAMES.keys())})s?(?!\\p{L})`, 'giu')],
  ['weekday', /(?:星期|礼拜|周)(?<number>[一二三四五六日天])(?![\p{N}])/gu],
  [
    'time',
    /(?<!\d|\d[.,])(?<hour>1[0-2]|0?[1-9])(?:[:.](?<minute>[0-5]\d))?\s?(?<half>[ap])\.?\s?m(?![\p{L}])\.?/giu,
  ],
  ['time', /(?<![\d:])(?<hour>1[3-9]|2[0-3]|00):(?<minute>[0-5]\d)(?![\d:])/gu],
  [
    'time',
    new RegExp(
      `(?<half>上午|早上|凌晨|下午|晚上)\\s?(?<hour>${HAN})\\s?[点點时時:](?:(?<minute>\\d{2})分?)?`,
      'gu',
    ),
  ],
];

/** Matches words after a time that distinguish a.m. from p.m. */
const DAYTIME =
  '(?:\\s?,?\\s?(?<half>in the (?:morning|afternoon|evening)|at night|[ap]\\.?\\s?m\\b|morgens|vormittags|nachmittags|abends|du matin|du soir|de l.après-midi|de la (?:mañana|tarde|noche)))?';
const HOUR = '0?\\d|1\\d|2[0-3]';
const GERMAN_HOURS = 'eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'.split(' ');
/** Times in languages that name the hour. */
const HOURS: [kind: string, form: RegExp][] = [
  ['time', new RegExp(`(?<![\\d:.,])(?<hour>${HOUR})\\s?h\\s?(?<minute>[0-5]\\d)(?!\\d)${DAYTIME}`, 'gu')],
  [
    'time',
    new RegExp(
      `(?<![\\d:.,])(?<hour>${HOUR})(?:[:.](?<minute>[0-5]\\d))?\\sUhr(?!\\p{L})(?:\\s(?<late>[0-5]\\d)(?!\\d))?${DAYTIME}`,
      'gu',
    ),
  ],
  ['time', new RegExp(`(?<!\\p{L})halb\\s(?<word>${GERMAN_HOURS.join('|')})(?!\\p{L})`, 'gu')],
  [
    'time',
    /(?<![\d:.,])(?<hour>0?\d|1\d|2[0-3])[点點时時](?:(?<minute>[0-5]\d)分?|(?<half30>半))?(?![间間\p{N}])/gu,
  ],
];
/** Forms that may have another meaning. They count as a period only in a quote: `9:30` may be a ratio. */
const BARE: [kind: string, form: RegExp][] = [
  ['time', new RegExp(`(?<![\\d:.,])(?<hour>0?\\d|1[0-2]):(?<minute>[0-5]\\d)(?![\\d:])${DAYTIME}`, 'gu')],
];

/** Returns the periods of a text, and the text with spaces in their place. */
export function readPeriods(
  text: string,
  { isQuote }: { isQuote: boolean },
): { periods: PeriodFact[]; rest: string } {
  const periods: PeriodFact[] = [];
  let rest = text;
  for (const [kind, form] of isQuote ? [...FORMS, ...HOURS, ...BARE] : [...FORMS, ...HOURS]) {
    const matches = [...rest.matchAll(form)];
    for (const { 0: found, groups = {} } of matches)
      periods.push({ text: found, kind, ...read(kind, groups) });
    rest = blankAll(
      rest,
      matches.map(({ 0: found, index }) => placed(found, index)),
    );
  }
  return { periods: [...periods, ...(isQuote ? [...shortDays(text), ...daysBetween(text)] : [])], rest };
}

/**
 * Matches `Sat 10:00` and `Mo–Fr`. A short name counts only next to a number or another day, because `Sun`
 * and `Mo` have other meanings. In a sentence, the day has its full name.
 */
const SHORT_DAY = new RegExp(
  `(?<!\\p{L})(?<day>${SHORT}|tues|thurs)\\.?(?=\\s?[–-]\\s?(?:${SHORT})(?!\\p{L})|[ :,]{0,2}\\d)|(?<=\\p{L}\\.?\\s?[–-]\\s?)(?<day>${SHORT})(?!\\p{L})`,
  'giu',
);

function shortDays(text: string): PeriodFact[] {
  return [...text.matchAll(SHORT_DAY)].map(({ 0: found, groups: { day = '' } = {} }) => ({
    ...{ text: found, kind: 'weekday', number: dayOf(day.toLowerCase()) },
  }));
}

const RANGE_OF_DAYS = new RegExp(
  `(?<!\\p{L})(?<first>${anyOf([...DAY_NAMES.keys(), ...SHORT_DAY_NAMES.keys()])})\\.?(?:\\s?[–-]\\s?|\\s(?:to|through|bis|à|au|a|al)\\s)(?<last>${anyOf([...DAY_NAMES.keys(), ...SHORT_DAY_NAMES.keys()])})(?!\\p{L})`,
  'giu',
);

/** Returns the days of a range: Monday to Friday for `Mon–Fri`. */
function daysBetween(text: string): PeriodFact[] {
  return [...text.matchAll(RANGE_OF_DAYS)].flatMap(({ 0: found, groups: { first = '', last = '' } = {} }) => {
    const [from, to] = [dayOf(first.toLowerCase()), dayOf(last.toLowerCase())];
    return [1, 2, 3, 4, 5, 6, 7]
      .filter((day) => (from <= to ? from < day && day < to : day > from || day < to))
      .map((number) => ({ text: found, kind: 'weekday', number }));
  });
}

function read(
  kind: string,
  groups: Record<string, string | undefined>,
): Pick<PeriodFact, 'number' | 'isEither'> {
  if (groups.day !== undefined) return { number: dayOf(groups.day.toLowerCase()) };
  if (kind === 'time') return { number: minutesOf(groups), isEither: isEither(groups) };
  return { number: numberOf(kind, groups.number ?? '') };
}

function dayOf(name: string): number {
  return DAY_NAMES.get(name) ?? SHORT_DAY_NAMES.get(name) ?? SHORT_DAY_NAMES.get(name.slice(0, 3)) ?? 0;
}

function numberOf(kind: string, text: string): number {
  const word = text.toLowerCase();
  if (/^\d/.test(word)) return Number.parseInt(word, 10);
  if (kind === 'weekday') return HAN_DAYS.indexOf(word) + 1 || 7;
  if (NINETIES.includes(word)) return 20 + 10 * NINETIES.indexOf(word);
  return /^[a-z]/.test(word) ? readEnglishNumber(word) : readChineseNumber(word);
}

/**
 * Returns whether a time may be a.m. or p.m. `09:30` and `13:00` are 24-hour times, and `12:30` is in the afternoon.
 */
function isEither({ hour = '', half, word }: Record<string, string | undefined>): boolean {
  return half === undefined && (word !== undefined || /^(?:[1-9]|1[01])$/.test(hour));
}

function minutesOf(groups: Record<string, string | undefined>): number {
  const { hour = '', half = '', late, half30, word } = groups;
  const minute = groups.minute ?? late ?? (half30 === undefined ? '0' : '30');
  if (word !== undefined) return 60 * GERMAN_HOURS.indexOf(word) + 30;
  const hours = /^\d/.test(hour) ? Number(hour) : readChineseNumber(hour);
  if (half === '') return 60 * hours + Number(minute);
  const isAfternoon = /^p|下午|晚上|afternoon|evening|night|nachm|abend|soir|après|tarde|noche/i.test(half);
  return 60 * ((hours % 12) + (isAfternoon ? 12 : 0)) + Number(minute);
}

/** Returns whether a year is within a decade or a century. */
export function isYearWithin(year: number, { kind, number }: PeriodFact): boolean {
  if (kind === 'decade') return number >= 1000 && Math.floor(year / 10) * 10 === number;
  return kind === 'century' && Math.ceil(year / 100) === number;
}

/**
 * Returns whether one of the periods is the same. A decade without a century matches the same decade of any
 * century.
 */
export function saysPeriod(
  { kind, number, isEither: isOpen = false }: PeriodFact,
  said: PeriodFact[],
): boolean {
  return said.some(
    (other) =>
      other.kind === kind &&
      (other.number === number ||
        (kind === 'time' && (isOpen || other.isEither === true) && number % 720 === other.number % 720) ||
        (kind === 'decade' && Math.min(number, other.number) < 100 && number % 100 === other.number % 100)),
  );
}
