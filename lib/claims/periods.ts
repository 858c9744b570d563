import { readChineseNumber, readEnglishNumber } from './number-words.ts';
import { blank } from './numbers.ts';

/** A quarter, a century, a decade, a day of the week, a time of the day. */
export interface PeriodFact {
  text: string;
  kind: string;
  number: number;
}

const WEEKDAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');
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
  ['weekday', new RegExp(`\\b(?<number>${WEEKDAYS.join('|')})s?\\b`, 'giu')],
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

/** The periods of a text, and the text with blanks in their place. */
export function readPeriods(text: string): { periods: PeriodFact[]; rest: string } {
  const periods: PeriodFact[] = [];
  let rest = text;
  for (const [kind, form] of FORMS) {
    for (const { 0: found, index, groups = {} } of [...rest.matchAll(form)]) {
      const number = groups.hour === undefined ? numberOf(kind, groups.number ?? '') : minutesOf(groups);
      periods.push({ text: found, kind, number });
      rest = blank(rest, index, index + found.length);
    }
  }
  return { periods, rest };
}

function numberOf(kind: string, text: string): number {
  const word = text.toLowerCase();
  if (/^\d/.test(word)) return Number.parseInt(word, 10);
  if (kind === 'weekday') return (WEEKDAYS.indexOf(word) + 1 || HAN_DAYS.indexOf(word) + 1 || 7) % 7;
  if (NINETIES.includes(word)) return 20 + 10 * NINETIES.indexOf(word);
  return /^[a-z]/.test(word) ? readEnglishNumber(word) : readChineseNumber(word);
}

function minutesOf({ hour = '', minute = '0', half = '' }: Record<string, string | undefined>): number {
  const hours = /^\d/.test(hour) ? Number(hour) : readChineseNumber(hour);
  if (half === '') return 60 * hours + Number(minute);
  const isAfternoon = /^p|下午|晚上/i.test(half);
  return 60 * ((hours % 12) + (isAfternoon ? 12 : 0)) + Number(minute);
}

/** The decade of an unnamed century is that of any. */
export function saysPeriod({ kind, number }: PeriodFact, said: PeriodFact[]): boolean {
  return said.some(
    (other) =>
      other.kind === kind &&
      (other.number === number ||
        (kind === 'decade' && Math.min(number, other.number) < 100 && number % 100 === other.number % 100)),
  );
}
