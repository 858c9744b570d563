import type { Quantity } from './quantity.ts';
import { unitAt } from './units.ts';

const WORDS: Record<string, number> = {
  ...{
    a: 1,
    an: 1,
    one: 1,
    two: 2,
    three: 3,
    four: 4,
    five: 5,
    six: 6,
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
  },
  ...{ anderthalb: 1, einein: 1, zweiein: 2, dreiein: 3, vierein: 4, fünfein: 5 },
  ...{ une: 1, un: 1, deux: 2, trois: 3, quatre: 4, cinq: 5, una: 1, dos: 2, tres: 3, cuatro: 4, cinco: 5 },
  ...{ 一: 1, 两: 2, 三: 3, 四: 4, 五: 5, 六: 6, 七: 7, 八: 8, 九: 9, 十: 10 },
};
const COUNT = '(?<!\\d)\\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten';
const TIMES = 'hours?|minutes?|days?|weeks?|months?|years?|decades?';
const ROMANCE_COUNT = '(?<!\\d)\\d{1,4}|une?|deux|trois|quatre|cinq|una?|dos|tres|cuatro|cinco';
const ROMANCE_TIMES = 'heures?|jours?|mois|ans?|années?|horas?|días?|meses|mes|años?';

/** Patterns for a number and a half, and for half a period, with the unit before or after. */
export const HALVES = [
  /\b(?<quarters>a|three) quarters? of an (?<unit>hour)\b/giu,
  new RegExp(`\\b(?<count>${COUNT}) and a half (?=(?:${TIMES})\\b)`, 'giu'),
  new RegExp(`\\b(?<count>${COUNT})[ -](?<unit>${TIMES}) and a half\\b`, 'giu'),
  /\b(?<half>half)(?: of)? an? (?<unit>hour|day|year|decade)\b/giu,
  /\b(?<half>half)[- ](?=(?:hour|day|year)s?\b)/giu,
  /(?<!\p{L})(?<count>anderthalb|(?:ein|zwei|drei|vier|fünf)ein)(?:(?<=anderthalb)|halb) (?=\p{L})/giu,
  /(?<!\p{L})(?<half>halbe[nr]?) (?=(?:Stunde|Minute)n?(?!\p{L}))/giu,
  new RegExp(
    `(?<!\\p{L})(?<count>${ROMANCE_COUNT}) (?<unit>${ROMANCE_TIMES}) (?:et demie?|y medi[ao])(?!\\p{L})`,
    'giu',
  ),
  /(?<!\p{L})(?<half>demi-|media )(?=(?:heure|hora)(?!\p{L}))/giu,
  /(?<count>(?<!\d)\d{1,4}|[一两三四五六七八九十])个半(?=小时|月)/gu,
  /(?<half>半)个?(?=小时)/gu,
];

export function readHalves(
  { 0: found, index = 0, groups = {} }: RegExpMatchArray,
  rest: string,
): Quantity | undefined {
  const { count, quarters, unit: inside } = groups;
  const unit = unitAt(inside ?? rest.slice(index + found.length, index + found.length + 34));
  if (unit === undefined) return undefined;
  const end = index + found.length + (inside === undefined ? unit.length : 0);
  const whole = count === undefined ? 0 : (WORDS[count.toLowerCase()] ?? Number(count));
  const value = quarters === undefined ? whole + 0.5 : /^a/i.test(quarters) ? 0.25 : 0.75;
  return { text: found, start: index, end, value, units: [unit.name], ordinal: false };
}
