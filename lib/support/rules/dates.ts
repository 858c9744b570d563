import { blankAll } from './blank-all.ts';
import { anyOf, MONTH_NAMES } from './calendar-names.ts';
import { readChineseNumber } from './number-words.ts';

export interface DateFact {
  text: string;
  start: number;
  year?: number | undefined;
  month?: number | undefined;
  day?: number | undefined;
}

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const MONTH = `(?<name>${MONTHS.map((month) => `${month}|${month.slice(0, 3)}\\.?`).join('|')}|sept\\.?)`;
const DAY = '(?<day>0?[1-9]|[12]\\d|3[01])(?:st|nd|rd|th)?';
const YEAR = '(?<year>1\\d{3}|20\\d{2})';
const HAN_YEAR = '(?<year>[12]\\d{3}|[一二][〇零一二三四五六七八九]{3})';
const HAN_NUMBER = '\\d{1,2}|[一二三四五六七八九十]{1,3}';
const AROUND = { before: '(?<![\\p{L}\\d.-])', after: '(?![A-Za-z\\d])' };

/**
 * Month names of all languages. They count only next to a day or a year, because words such as `Mars` and
 * `mai` have other meanings.
 */
const FOREIGN_MONTH = `(?<foreign>${anyOf(MONTH_NAMES.keys())})(?!\\p{L})\\.?`;
const FOREIGN_DAY = '(?<!\\d)(?<day>0?[1-9]|[12]\\d|3[01])(?:\\.?[º°]|\\.|er)?';

/** Longer forms come first, because text that one form has matched isn't available to others. */
const FORMS = [
  `(?<!\\d)${HAN_YEAR}\\s?年\\s?(?<month>${HAN_NUMBER})\\s?月(?:\\s?(?<day>${HAN_NUMBER})\\s?[日号])?`,
  `(?<!\\d)(?<month>${HAN_NUMBER})\\s?月\\s?(?<day>${HAN_NUMBER})\\s?[日号]`,
  `(?<!\\d)${HAN_YEAR}\\s?年(?![前后来间])`,
  `(?<![\\d一二三四五六七八九十个])(?<month>${HAN_NUMBER})\\s?月(?!(?!份)[\\p{L}])`,
  `(?<![\\d.])${YEAR}([-/.])(?<month>0?[1-9]|1[0-2])\\2${DAY}(?!\\d|[-/]\\d)`,
  `${AROUND.before}${MONTH}\\s+${DAY}(?:\\s*,\\s*|\\s+)${YEAR}${AROUND.after}`,
  `${AROUND.before}(?:the\\s+)?${DAY}\\s+(?:of\\s+)?${MONTH}(?:\\s*,\\s*|\\s+)${YEAR}${AROUND.after}`,
  `${FOREIGN_DAY}\\s(?:de |d['’])?${FOREIGN_MONTH}(?:\\s(?:del? )?${YEAR}(?!\\d))?`,
  `(?<!\\p{L})${FOREIGN_MONTH}\\s(?:del? )?${YEAR}(?!\\d)`,
  `(?<![\\d.])${DAY}\\.(?<month>0?[1-9]|1[0-2])\\.${YEAR}(?![\\d.])`,
  `${AROUND.before}${MONTH}(?:\\s*,)?\\s+${YEAR}${AROUND.after}`,
  `(?<![\\d./-])${YEAR}-(?<month>0[1-9]|1[0-2])(?![\\d-])`,
  `${AROUND.before}${MONTH}\\s+${DAY}${AROUND.after}(?!\\s*[%])`,
  `${AROUND.before}(?:the\\s+)?${DAY}\\s+(?:of\\s+)?${MONTH}${AROUND.after}`,
  `(?<=\\b(?:in|since|until|of|by|from|to|late|early)\\s)${MONTH}${AROUND.after}`,
].map((form) => new RegExp(form, 'giu'));

/**
 * Matches the first day of a range whose last date has the month and year (`3 to 7 May`), or the last day of
 * a range whose first date has them (`May 3–7`, `3月3日至7日`).
 */
const FIRST_DAY =
  /(?<![\d.,:])(?<day>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|\.|er)?(?<between>\s?[-–—]\s?|\s(?:\p{L}{1,5}\s){1,2})$/u;
const LAST_DAY =
  /^(?:\s?[-–—~]\s?|\s(?:to|until|through)\s|[至到])(?<day>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|[日号])?(?![\d.:/-])(?:,?\s(?<year>1\d{3}|20\d{2})(?!\d))?/u;
const REACH = 16;

/** Returns the dates of a text, and the text with spaces in their place. */
export function readDates(text: string): { dates: DateFact[]; rest: string } {
  const { dates, rest } = readWholeDates(text);
  const ends = dates.flatMap((date) => rangeOf(date, rest));
  const all = [...dates, ...ends].toSorted((a, b) => a.start - b.start);
  return {
    dates: all,
    rest: blankAll(
      rest,
      ends.map(({ start, text: { length } }) => ({ start, end: start + length })),
    ),
  };
}

/** Returns the other day of the range to which a date belongs. */
function rangeOf(date: DateFact, rest: string): DateFact[] {
  if (date.day === undefined || date.month === undefined) return [];
  const end = date.start + date.text.length;
  const first = FIRST_DAY.exec(rest.slice(Math.max(0, date.start - REACH), date.start));
  if (first !== null) {
    const start = date.start - first[0].length;
    return [{ ...date, start, text: first[0].trim(), day: Number(first.groups?.day) }];
  }
  const { 0: last = '', groups = {} } = LAST_DAY.exec(rest.slice(end, end + REACH)) ?? {};
  if (last === '') return [];
  if (groups.year !== undefined) date.year ??= Number(groups.year);
  return [{ ...date, start: end, text: last, day: Number(groups.day) }];
}

function readWholeDates(text: string): { dates: DateFact[]; rest: string } {
  const dates: DateFact[] = [];
  let rest = text;
  for (const form of FORMS) {
    rest = rest.replace(form, (...found) => {
      const groups = found.at(-1) as Record<string, string | undefined>;
      const [start, whole] = [found.at(-3) as number, found[0] as string];
      dates.push({ text: text.slice(start, start + whole.length), start, ...readGroups(groups) });
      return ' '.repeat(whole.length);
    });
  }
  return { dates, rest };
}

function readGroups({ year, month, name, foreign, day }: Record<string, string | undefined>) {
  return {
    year: readNumber(year),
    month:
      foreign !== undefined
        ? MONTH_NAMES.get(foreign.toLowerCase())
        : name === undefined
          ? readNumber(month)
          : monthNumber(name),
    day: readNumber(day),
  };
}

function readNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return /^\d/.test(text) ? Number.parseInt(text, 10) : readChineseNumber(text);
}

function monthNumber(name: string): number {
  return MONTHS.findIndex((month) => month.startsWith(name.toLowerCase().slice(0, 3))) + 1;
}

/** Returns whether another date includes everything that this one states. */
export function saysDate(fact: DateFact, said: DateFact): boolean {
  return (['year', 'month', 'day'] as const).every(
    (field) => fact[field] === undefined || fact[field] === said[field],
  );
}
