import type { Quantity } from './quantity.ts';

/** What makes two numbers one fact, whose order counts: `5 of 10`, `2:1`, `from 10 to 20`, `123-456`. */
const BETWEEN = /^\s*(?:of(?: the)?|out of|in|\/|[:：]|to|-|–|比|vs\.?|versus)\s*$/iu;

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

function pairsOf({ text, quantities }: Said) {
  return quantities.flatMap((one, at) => {
    const next = quantities[at + 1];
    if (next === undefined || !BETWEEN.test(text.slice(one.end, next.start))) return [];
    const [a, b] = [Math.abs(one.value), Math.abs(next.value)];
    return [{ text: text.slice(one.start, next.end), key: `${a} ${b}`, turned: `${b} ${a}` }];
  });
}
