import { unitAt } from './units.ts';

/** The maximum distance between a number and its rate, in characters. */
const REACH = 60;
const TIMES = 'second|minute|hour|day|week|month|quarter|year';
/** Matches `per` in other languages, followed by a time or another unit. */
const FOREIGN_PER =
  'pro|par|por|(?:al|a la|por cada|cada|chaque|jede[nrs]?)(?= (?:día|jour|Tag|sem|Woch|mes|mois|Monat|año|an|Jahr|hora|heure|Stund|minut))';
/** Matches a unit after `per`, up to three words after the number: `5 mg of it per day`, `500 requests/s`. */
const PER = new RegExp(
  `^(?:[^\\S\\n]+\\p{L}[\\p{L}-]*){0,3}?\\s*(?:/\\s?|\\b(?:per|${FOREIGN_PER})\\s(?!annum\\b)|\\b(?:an?|each|every)\\s(?=(?:${TIMES})\\b))`,
  'iu',
);
const THEN_PER = new RegExp(
  `^\\s*(?:/\\s?|(?:and\\s)?(?:per|${FOREIGN_PER})\\s(?!annum\\b)|(?:an?|each|every)\\s(?=(?:${TIMES})\\b))`,
  'iu',
);
const ADVERB =
  'hourly|daily|weekly|monthly|quarterly|yearly|annual(?:ly)?|per annum|p\\.a\\.|täglich\\w*|wöchentlich\\w*|monatlich\\w*|jährlich\\w*|stündlich\\w*|quotidien(?:ne)?s?|hebdomadaires?|mensuel(?:le)?s?|annuel(?:le)?s?|diari[oa]s?|semanal(?:es)?|mensual(?:es)?|anual(?:es)?';
const THEN_ADVERB = new RegExp(`^(?:[^\\S\\n]+\\p{L}[\\p{L}-]*){0,2}?\\s(?<often>${ADVERB})(?!\\p{L})`, 'iu');
const ADVERB_BEFORE = new RegExp(`\\b(?<often>${ADVERB})\\s(?:\\p{L}+\\s){0,3}$`, 'iu');
const HAN_BEFORE =
  /(?:每个?(?<each>秒|分钟|小时|天|日|周|星期|月|年)|(?<mean>[日月年])均)[^，。；、：\d\n]{0,6}$/u;

/**
 * Adverbs of frequency by their first letters, with their unit. Includes those that aren't units elsewhere,
 * or mean another one there.
 */
const OFTEN: Record<string, string> = {
  ...{ hour: 'hour', dail: 'day', week: 'week', mont: 'month', quar: 'quarter', year: 'year', annu: 'year' },
  ...{ tägl: 'day', quot: 'day', diar: 'day', wöch: 'week', hebd: 'week', sema: 'week', mona: 'month' },
  ...{ mens: 'month', jähr: 'year', anua: 'year', stün: 'hour' },
  ...{ 'per ': 'year', 'p.a.': 'year' },
  ...{ 秒: 'second', 分钟: 'minute', 小时: 'hour', 天: 'day', 日: 'day', 周: 'week', 星期: 'week' },
  ...{ 月: 'month', 年: 'year' },
};
const SHORT = /^(?<short>d|wk|mo|an|quarter|日|月)(?![\p{L}\d])/u;
const SHORT_NAMES: Record<string, string> = {
  d: 'day',
  an: 'year',
  wk: 'week',
  mo: 'month',
  日: 'day',
  月: 'month',
};

/**
 * Returns the units per which the number from `start` to `end` (with its unit) is counted, as sorted names: `day` and
 * `kilogram` for `5 mg/kg per day`. Empty if no known unit is named.
 */
export function rateAfter(text: string, start: number, end: number): string[] {
  if (/(?:mph|kph|kmh)$/i.test(text.slice(start, end))) return ['hour'];
  const after = text.slice(end, end + REACH);
  const before = text.slice(Math.max(0, start - REACH), start);
  const named = denominators(after);
  const often = ADVERB_BEFORE.exec(before) ?? (named.length > 0 ? null : THEN_ADVERB.exec(after));
  const han = HAN_BEFORE.exec(before)?.groups;
  const word = often?.groups?.often?.toLowerCase().slice(0, 4) ?? han?.each ?? han?.mean ?? '';
  return [...new Set([...named, ...(OFTEN[word] === undefined ? [] : [OFTEN[word]])])].toSorted();
}

function denominators(after: string): string[] {
  const found: string[] = [];
  let rest = after;
  for (let per = PER.exec(rest); per !== null; per = THEN_PER.exec(rest)) {
    rest = rest.slice(per[0].length);
    const unit = shortAt(rest) ?? unitAt(rest);
    if (unit === undefined) break;
    found.push(unit.name);
    rest = rest.slice(unit.length);
  }
  return found;
}

function shortAt(text: string): { name: string; length: number } | undefined {
  const short = SHORT.exec(text)?.groups?.short;
  return short === undefined ? undefined : { name: SHORT_NAMES[short] ?? short, length: short.length };
}

/** Returns whether rates may be the same. If only the sentence or only the quote has one, a judge decides. */
export function isSameRate(wanted: string[] = [], had: string[] = []): boolean {
  return wanted.length === 0 || had.length === 0 || wanted.join(' ') === had.join(' ');
}
