import type { Quantity } from './quantity.ts';

/** Words and signs that make two numbers one fact, whose order counts: `5 of 10`, `2:1`, `from 10 to 20`, `5 votes to 2`, `123-456`. */
const BETWEEN = /^\s*(?:of(?: the)?|out of|in|\/|[:：]|(?:\p{L}+\s)?to|-|–|比|vs\.?|versus)\s*$/iu;

interface Said {
  text: string;
  quantities: Quantity[];
}

/** Pairs of numbers that the quotes have the other way round only, as the sentence has them. */
export function turnedPairs(sentence: Said, quotes: Said[]): string[] {
  const said = new Set(quotes.flatMap((quote) => pairsOf(quote).map(({ key }) => key)));
  return pairsOf(sentence)
    .filter(({ key, turned }) => key !== turned && said.has(turned) && !said.has(key))
    .map(({ text }) => text);
}

/** Fractions (`2/3`) of which no quote has the two numbers next to each other. */
export function missingFractions(sentence: Said, quotes: Said[]): string[] {
  const near = new Set(quotes.flatMap(neighbors));
  return pairsOf(sentence)
    .filter(({ key, turned, isFraction }) => isFraction && !near.has(key) && !near.has(turned))
    .map(({ text }) => text);
}

function pairsOf({ text, quantities }: Said) {
  return quantities.flatMap((one, at) => {
    const next = quantities[at + 1];
    if (next === undefined || !BETWEEN.test(text.slice(one.end, next.start))) return [];
    const isFraction = text.slice(one.end, next.start) === '/';
    return [{ text: text.slice(one.start, next.end), ...keysOf(one, next), isFraction }];
  });
}

function neighbors({ quantities }: Said): string[] {
  return quantities.slice(1).map((next, at) => keysOf(quantities[at] ?? next, next).key);
}

function keysOf(one: Quantity, next: Quantity) {
  const [a, b] = [Math.abs(one.value), Math.abs(next.value)];
  return { key: `${a} ${b}`, turned: `${b} ${a}` };
}
