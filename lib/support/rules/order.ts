import { valuesIn } from './numbers.ts';
import type { Quantity } from './quantity.ts';

/**
 * Words and signs that combine two numbers into one fact, in which the order matters: `5 of 10`, `2:1`, `from
 * 10 to 20`, `5 votes to 2`, `123-456`.
 */
const BETWEEN = /^\s*(?:of(?: the)?|out of|in|\/|[:：]|(?:\p{L}+\s)?to|-|–|比|vs\.?|versus)\s*$/iu;

/** The maximum number of characters between two numbers of a pair. */
const FAR = 16;

interface Said {
  text: string;
  quantities: Quantity[];
}

/** Matches words between two numbers whose order doesn't matter. */
const AND = /^(?:,|and|or|und|oder|et|ou|y|o|e|и|[和与及、或])?$/iu;

/**
 * Returns pairs of numbers that the quotes contain only in reverse order, adjacent, and with the same text
 * between them: `从3元涨到4元`.
 */
export function turnedPairs(sentence: Said, quotes: Said[]): string[] {
  const own = pairsOf(sentence);
  if (own.length === 0) return [];
  const said = quotes.flatMap(pairsOf);
  return own
    .filter(({ key, turned, between }) => {
      const isTurned = (pair: (typeof said)[number]) => pair.key === turned && pair.between === between;
      return key !== turned && said.some(isTurned) && !said.some((pair) => pair.key === key);
    })
    .map(({ text }) => text);
}

/** Returns fractions (`2/3`) whose two numbers aren't adjacent in any quote. */
export function missingFractions(sentence: Said, quotes: Said[]): string[] {
  const fractions = pairsOf(sentence).filter(({ isFraction }) => isFraction);
  if (fractions.length === 0) return [];
  const near = new Set(quotes.flatMap(neighbors));
  return fractions.filter(({ key, turned }) => !near.has(key) && !near.has(turned)).map(({ text }) => text);
}

function pairsOf({ text, quantities }: Said) {
  return quantities.flatMap((one, at) => {
    const next = quantities[at + 1];
    if (next === undefined || next.start - one.end > FAR) return [];
    const joint = text.slice(one.end, next.start);
    const between = BETWEEN.test(joint) ? 'to' : joint.replace(/[\s$€£¥]+/gu, '').toLowerCase();
    const isOfOne =
      one.units.some((unit) => next.units.includes(unit)) || one.units.length + next.units.length === 0;
    if (AND.test(between) || (between !== 'to' && !isOfOne)) return [];
    return [
      { text: text.slice(one.start, next.end), ...keysOf(one, next), between, isFraction: joint === '/' },
    ];
  });
}

function neighbors({ quantities }: Said): string[] {
  return quantities.slice(1).map((next, at) => keysOf(quantities[at] ?? next, next).key);
}

function keysOf(one: Quantity, next: Quantity) {
  const [a = 0, b = 0] = [one, next].map((each) => Math.abs(valuesIn(each)[0] ?? 0));
  return { key: `${a} ${b}`, turned: `${b} ${a}` };
}
