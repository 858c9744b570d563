import { opensSentences } from './names.ts';
import { readChineseNumber, readEnglishNumber } from './number-words.ts';
import type { Quantity } from './quantity.ts';
import { unitAt } from './units.ts';

const DENOMINATORS = 'thirds?|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?';
const HAN_DIGIT = '[一二三四五六七八九十百两]';

const FOREIGN_COUNTS: Record<string, number> = {
  ...{ zwei: 2, drei: 3, vier: 4, fünf: 5, sechs: 6, sieben: 7, acht: 8, neun: 9 },
  ...{ deux: 2, trois: 3, quatre: 4, cinq: 5, dos: 2, tres: 3, cuatro: 4 },
};
const FOREIGN_PARTS: [RegExp, number][] = [
  [/^(?:drit|tier|terc)/, 3],
  [/^(?:vier|quar|cuar)/, 4],
  [/^(?:fünf|cinq|quin)/, 5],
  [/^(?:zehn|dixi|déci)/, 10],
];

/** Matches what follows a fraction that compares, as in `a third more`. */
const COMPARES = /^(?:fewer|less|more|lower|higher)$/i;

/**
 * Fractions in words, as `½`, and as `3/4 of`. `A third thing` isn't a third, and a quarter of a year isn't a fraction.
 */
export const PARTS = [
  /(?<!\d)(?:(?<whole>\d+)\s)?(?<over>\d+)⁄(?<under>\d+)/gu,
  /(?<![\d/.\p{L}])(?<over>[1-9])\/(?<under>[2-9]|10)(?=\s(?:of|the|as)\b)/gu,
  /(?<!\b(?:first|second|other|latter|former|this|each|1st|2nd)\s)\b(?:one[- ])?(?<half>half)\b(?![-/]|\s(?:(?:an?|of an?|the)\s)?(?:hour|day|year|century|decade|dozen|million|billion|time|life|way|past)\b)/giu,
  new RegExp(
    `\\b(?<over>one|an?)[- ](?<den>${DENOMINATORS})\\b(?!\\sof\\s(?:a year|(?:1\\d|20)\\d\\d))(?=\\s(?<next>\\p{L}+)|\\s*[.,;)]|\\s*$)`,
    'giu',
  ),
  new RegExp(`\\b(?<over>two|three|four|five|six|seven|eight|nine)[- ](?<den>${DENOMINATORS})\\b`, 'giu'),
  new RegExp(`(?<under>(?<!\\d)\\d+|(?<!${HAN_DIGIT})${HAN_DIGIT}+)分之(?<over>\\d+|${HAN_DIGIT}+)`, 'gu'),
  /(?<half>一半|半数)/gu,
  /(?<!\p{L})(?:die |la )?(?<half>Hälfte|moitié|mitad|metà|metade)(?!\p{L})/giu,
  new RegExp(
    `(?<!\\p{L})(?<over>eine?|une?|le|la|${Object.keys(FOREIGN_COUNTS).join('|')}) (?<den>Drittel|Viertel|Fünftel|Zehntel|tiers|quarts?|cinquièmes?|dixièmes?|tercios?|cuartos?|quintos?|décimos?|tercera parte|cuarta parte)(?= (?:d[eu]s?|del|der|aller|von|davon|d['’]entre)(?!\\p{L}) (?!hora))`,
    'giu',
  ),
];

export function readPart(
  { 0: found, index = 0, groups = {} }: RegExpMatchArray,
  rest: string,
): Quantity | undefined {
  const { whole, over = '1', under, den, half, next } = groups;
  if (next !== undefined && !COMPARES.test(next) && !opensSentences(next)) return undefined;
  const below = half === undefined ? (under ?? den ?? '') : '2';
  const value = Number(whole ?? 0) + numberOf(over) / numberOf(below);
  const end = index + found.length;
  const unit = den === undefined && half === undefined ? unitAt(rest.slice(end, end + 34)) : undefined;
  const placed = { text: found, start: index, end: end + (unit?.length ?? 0), ordinal: false };
  if (whole !== undefined || unit !== undefined) return { ...placed, value, units: unit ? [unit.name] : [] };
  return { ...placed, value: 100 * value, units: ['%'], isPart: true };
}

function numberOf(text: string): number {
  if (/^\d/.test(text)) return Number(text);
  if (!/^[a-z]/i.test(text)) return readChineseNumber(text);
  const word = text.toLowerCase().replace(/s$/, '');
  const foreign = FOREIGN_COUNTS[text.toLowerCase()] ?? foreignPart(word);
  if (foreign !== undefined) return foreign;
  if (/^(?:eine?|une?|l[ea])$/.test(word)) return 1;
  return word === 'quarter' ? 4 : readEnglishNumber(word);
}

/** `quarter` is an English word, `quart` isn't. */
function foreignPart(word: string): number | undefined {
  return /^quarter/.test(word) ? undefined : FOREIGN_PARTS.find(([form]) => form.test(word))?.[1];
}

/** Words for multiples. `Once` counts only as a number. */
export const MULTIPLES = [
  /\b(?<double>doubl(?:ed|es|ing)|twofold|twice|double(?=\s(?:the|that|what|its|their|as)\b)|(?<=\bto )double)\b/giu,
  /\b(?<triple>tripl(?:ed|es|ing)|threefold|thrice|triple(?=\s(?:the|that|what|its|their|as)\b)|(?<=\bto )triple)\b/giu,
  /\b(?<quadruple>quadrupl(?:ed?|es|ing)|fourfold)\b/giu,
  /\b(?<fold>five|six|seven|eight|nine|ten)fold\b/giu,
  /\b(?<halve>halv(?:ed?|es|ing))\b/giu,
  /\b(?<once>once)(?=\s(?:an?|per|every|each|daily|weekly|monthly|yearly|annually)\b)/giu,
  /(?<double>翻了?一番|翻了?一倍|翻了?倍|加倍)/gu,
  /(?<halve>减半)/gu,
];
const FACTORS: Record<string, number> = { double: 2, triple: 3, quadruple: 4, halve: 0.5, once: 1 };

export function readMultiple({ 0: text, index = 0, groups = {} }: RegExpMatchArray): Quantity {
  const [kind = ''] = Object.keys(groups).filter((name) => groups[name] !== undefined);
  const value = FACTORS[kind] ?? readEnglishNumber(groups.fold ?? '');
  return {
    text,
    start: index,
    end: index + text.length,
    value,
    units: ['times'],
    ordinal: false,
    isMultiple: true,
  };
}

/**
 * Returns whether a fraction or a multiple is expressed in another way: as a percentage, as a decimal, or by
 * the two numbers from which it is calculated (`5 of 10`, `from 10 to 20`).
 */
export function saysPart(fact: Quantity, said: Quantity[]): boolean {
  const next = (at: number) => said[at + 1];
  if (fact.isMultiple) return said.some((other, at) => saysMultiple(fact.value, other, next(at)));
  if (fact.isPart)
    return said.some((other, at) => isSamePart(other, fact) || isQuotient(fact, other, next(at)));
  return said.some((other) => other.isPart === true && isSamePart(fact, other));
}

function isSamePart({ value, units }: Quantity, part: Quantity): boolean {
  const percent = units.includes('%') ? value : 100 * value;
  return (units.length === 0 || units.includes('%')) && isNear(percent, part.value);
}

/** Returns whether a percentage is near a fraction. A third is also 33 %, but a half is only 50 %. */
function isNear(percent: number, part: number): boolean {
  return Math.abs(percent - part) <= (part % 2.5 === 0 ? 1e-6 : 0.35);
}

/** The maximum distance between the numbers of a quotient in characters, including the words between them. */
const APART = 12;

function isQuotient({ value }: Quantity, over: Quantity, under: Quantity | undefined): boolean {
  if (under === undefined || under.value === 0 || under.start - over.end > APART) return false;
  return isNear((100 * over.value) / under.value, value);
}

function saysMultiple(factor: number, one: Quantity, next: Quantity | undefined): boolean {
  if (one.units.includes('%')) return Math.abs(one.value - 100 * Math.abs(factor - 1)) < 1e-6;
  if (one.units.includes('times')) return one.value === factor;
  return next !== undefined && Math.abs(next.value - factor * one.value) <= 1e-9 * Math.abs(next.value);
}
