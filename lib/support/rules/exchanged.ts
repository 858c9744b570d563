import type { Quantity } from './quantity.ts';

interface Said {
  text: string;
  quantities: Quantity[];
}

/** A number with the words of its clause. */
interface Labeled {
  quantity: Quantity;
  words: Set<string>;
}

/** Each number of a sentence is compared with each other one. */
const MAX_NUMBERS = 12;
const CLAUSE_END =
  /[,;.!?](?!\d)|[，。；、！？\n]|\b(?:and|or|but|while|whereas|und|aber|et|mais|y|pero)\b|[和与及而]/giu;
const WORD =
  /\p{Script=Han}(?=(?<next>\p{Script=Han}))|[\p{L}\p{M}]{3,}|(?<=\s)[A-Z](?![\p{L}\d])|\d+(?:[.,]\d+)*/gu;
/** They say which number belongs to which in a way of their own. */
const DISTRIBUTES = /\b(?:respectively|former|latter|vice versa)\b|分别/iu;

/**
 * Numbers that the quotes give to each other's words: `5 women and 3 men` next to `3 women and 5 men`. Only crossed pairs
 * count: each number is in the quotes next to words of the other one, and nowhere next to a word of its own.
 */
export function exchangedNumbers(sentence: Said, quotes: Said[]): string[] {
  if ([sentence, ...quotes].some(({ text }) => DISTRIBUTES.test(text))) return [];
  const own = labeled({ ...sentence, quantities: sentence.quantities.slice(0, MAX_NUMBERS) });
  if (own.length < 2) return [];
  const said = quotes.flatMap(labeled);
  const pairs = own.flatMap((one, at) => own.slice(at + 1).map((other) => [one, other] as const));
  return pairs
    .filter(([one, other]) => !isListed(sentence.text, one, other) && isExchanged(one, other, said))
    .flatMap(([one, other]) => [one.quantity.text, other.quantity.text]);
}

/** Whether only other numbers are between them: a list may have any order. */
function isListed(text: string, { quantity: one }: Labeled, { quantity: other }: Labeled): boolean {
  return /^(?:[^\p{L}]|and|or|[和与及])*$/iu.test(text.slice(one.end, other.start));
}

function isExchanged(one: Labeled, other: Labeled, said: Labeled[]): boolean {
  if (one.quantity.value === other.quantity.value) return false;
  const [ofOne, ofOther] = [wordsOf(said, one), wordsOf(said, other)];
  const numbers = new Set([one, other].flatMap(({ quantity }) => numeralsOf(quantity)));
  const isOwn = (word: string, { words }: Labeled) =>
    !words.has(word) && !numbers.has(word.slice(0, 1)) && !numbers.has(word);
  const onlyOne = [...one.words].filter((word) => isOwn(word, other));
  const onlyOther = [...other.words].filter((word) => isOwn(word, one));
  const has = (words: Set<string>, some: string[]) => some.some((word) => words.has(word));
  return has(ofOne, onlyOther) && has(ofOther, onlyOne) && !has(ofOne, onlyOne) && !has(ofOther, onlyOther);
}

/** A number as written; of Chinese, the character with which the pair of a count begins. */
function numeralsOf({ digits, text }: Quantity): string[] {
  const han = /^\p{Script=Han}/u.exec(text)?.[0];
  return [
    ...(digits === undefined
      ? text
          .toLowerCase()
          .split(/[\s-]+/)
          .map(stemOf)
      : [digits]),
    ...(han === undefined ? [] : [han]),
  ];
}

/** The words of all clauses that have a number of this value. */
function wordsOf(said: Labeled[], { quantity: { value } }: Labeled): Set<string> {
  return new Set(said.flatMap(({ quantity, words }) => (quantity.value === value ? [...words] : [])));
}

function labeled({ text, quantities }: Said): Labeled[] {
  const ends = [...text.matchAll(CLAUSE_END)].map(({ index }) => index);
  const clauses = new Map<number, Set<string>>();
  return quantities.map((quantity) => {
    const start = ends.findLast((end) => end < quantity.start) ?? 0;
    const words =
      clauses.get(start) ??
      wordsIn(
        text.slice(
          start,
          ends.find((end) => end > start),
        ),
      );
    clauses.set(start, words);
    return { quantity, words };
  });
}

function wordsIn(clause: string): Set<string> {
  return new Set(
    [...clause.matchAll(WORD)].map(({ 0: word, groups }) => stemOf(word + (groups?.next ?? ''))),
  );
}

function stemOf(word: string): string {
  return word.toLowerCase().replace(/(?<=\p{L}{3})s$/u, '');
}
