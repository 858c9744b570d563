import { diffArrays } from 'diff/lib/diff/array.js';
import { sentencesIn } from './same-words.ts';

/** A difference between a sentence and a quote that are otherwise the same, in the words of each. */
export interface Difference {
  own: string[];
  said: string[];
}

const TOKEN =
  /\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}])+(?:[.,:'’-](?:(?!\p{Script=Han})[\p{L}\p{N}])+)*[%‰]?/gu;
/** The maximum length of a sentence to compare, in tokens. */
const MAX_TOKENS = 80;
const MAX_SENTENCES = 12;
/** The minimum share of the longer sentence that both have in the same order. */
const SAME = 0.6;
/** The distance in tokens below which two differences count as one: `rose from 23 in 2017 to 58`. */
const GAP = 3;
const MAX_STRETCHES = 2;
const MAX_STRETCH = 10;

interface PlacedWord {
  word: string;
  start: number;
  end: number;
}

/** A stretch of differing tokens. The tokens before `from`, and those from `to` on, are the same in both. */
interface Stretch {
  own: { from: number; to: number };
  said: { from: number; to: number };
}

/** A sentence of a quote, with the positions of the shared tokens. */
interface Compared {
  text: string;
  said: PlacedWord[];
  common: [number, number][];
}

/**
 * Returns the difference between a sentence and the most similar sentence of the quotes; undefined if no
 * sentence is otherwise the same.
 */
export function differenceBetween(sentence: string, quotes: string[]): Difference | undefined {
  const own = placedWords(sentence);
  const best = nearest(own, quotes);
  if (best === undefined) return undefined;
  const stretches = joined(stretchesBetween(own, best));
  const isSmall = stretches.every(
    ({ own: mine, said }) => Math.max(mine.to - mine.from, said.to - said.from) <= MAX_STRETCH,
  );
  if (stretches.length === 0 || stretches.length > MAX_STRETCHES || !isSmall) return undefined;
  return {
    own: stretches.map((stretch) => textOf(sentence, own, stretch.own)),
    said: stretches.map((stretch) => textOf(best.text, best.said, stretch.said)),
  };
}

function nearest(own: PlacedWord[], quotes: string[]): Compared | undefined {
  const quoted = quotes.flatMap(sentencesIn).slice(0, MAX_SENTENCES);
  const compared = quoted.flatMap((text): Compared[] => {
    const said = placedWords(text);
    if (Math.max(own.length, said.length) > MAX_TOKENS) return [];
    const common = commonTokens(own, said);
    return common.length < SAME * own.length ? [] : [{ text, said, common }];
  });
  return compared.toSorted((one, other) => other.common.length - one.common.length)[0];
}

/**
 * The minimum share of the longer sentence that both must have before a fact of one can replace a fact of the other.
 */
const SIMILAR = 0.4;
/** The maximum number of words, in either sentence, between a fact and the next word that both have. */
const NEXT_TO = 2;
const MAX_REPLACED = 4;

/**
 * Returns the words of a quote that are between the same words as a part of a sentence: `630` for `999` in
 * `at 999 sites`. Undefined if no quote is similar there.
 */
export function replacementOf(part: string, sentence: string, quotes: string[]): string | undefined {
  const own = placedWords(sentence);
  const start = sentence.indexOf(part);
  if (start === -1 || own.length > MAX_TOKENS) return undefined;
  const from = own.findIndex(({ end }) => end > start);
  const to = own.findLastIndex((word) => word.start < start + part.length) + 1;
  const quoted = quotes.flatMap(sentencesIn).slice(0, MAX_SENTENCES);
  for (const text of quoted) {
    const said = placedWords(text);
    if (said.length > MAX_TOKENS) continue;
    const place = replacedPlace(commonTokens(own, said), { from, to }, own.length);
    if (place !== undefined) return textOf(text, said, place);
  }
  return undefined;
}

/**
 * Returns the place that is replaced. A fact that opens the sentence is compared with the words before the
 * first shared word.
 */
function replacedPlace(
  common: [number, number][],
  { from, to }: Stretch['own'],
  length: number,
): Stretch['said'] | undefined {
  const before = common.findLast(([i]) => i < from);
  const after = common.find(([i]) => i >= to);
  if (common.length < SIMILAR * length || (before === undefined && after === undefined)) return undefined;
  const [lastOwn, lastSaid] = before ?? [-1, (after?.[1] ?? 0) - (to - from) - 1];
  if (from - lastOwn - 1 > NEXT_TO || (after !== undefined && after[0] - to > NEXT_TO)) return undefined;
  const place = { from: Math.max(0, lastSaid + 1), to: after?.[1] ?? lastSaid + 2 };
  const words = place.to - place.from;
  return words > 0 && words <= MAX_REPLACED ? place : undefined;
}

/** Returns the words of a text in lower case, with their places. `form` defines a word. */
function placedWords(text: string, form = TOKEN): PlacedWord[] {
  return [...text.matchAll(form)].map(({ 0: word, index }) => {
    return { word: word.toLowerCase(), start: index, end: index + word.length };
  });
}

/** Returns the positions of the tokens that both have in the same order. */
function commonTokens(own: PlacedWord[], said: PlacedWord[]): [number, number][] {
  let [i, j] = [0, 0];
  return diffArrays(own.map(wordOf), said.map(wordOf)).flatMap(({ value, added, removed }) => {
    if (!added && !removed) return value.map((): [number, number] => [i++, j++]);
    if (added) j += value.length;
    else i += value.length;
    return [];
  });
}

function wordOf({ word }: PlacedWord): string {
  return word;
}

/**
 * Returns the differing stretches. Additional words at the start or end of a quote don't count as a
 * difference.
 */
function stretchesBetween(own: PlacedWord[], { text, said, common }: Compared): Stretch[] {
  const edges: [number, number][] = [[-1, -1], ...common, [own.length, said.length]];
  return edges.slice(1).flatMap(([i, j], at) => {
    const [before, beforeSaid] = edges[at] as [number, number];
    const stretch = { own: { from: before + 1, to: i }, said: { from: beforeSaid + 1, to: j } };
    const isEqual = stretch.own.from === i && stretch.said.from === j;
    const isMore = stretch.own.from === i && (at === 0 || i === own.length);
    if (isEqual || isMore) return [];
    if (i === own.length) stretch.said.to = endOfClause(text, said, stretch.said);
    return [stretch];
  });
}

/** Returns where the clause ends. A quote may say more after it: `4, as ever`. */
function endOfClause(text: string, tokens: PlacedWord[], { from, to }: { from: number; to: number }): number {
  const last = tokens.slice(from, to).findIndex(({ end }) => /[,;:，；：]/u.test(text.charAt(end)));
  return last === -1 ? to : from + last + 1;
}

function joined(stretches: Stretch[]): Stretch[] {
  const wide: Stretch[] = [];
  for (const stretch of stretches) {
    const last = wide.at(-1);
    if (last !== undefined && stretch.own.from - last.own.to <= GAP) {
      last.own.to = stretch.own.to;
      last.said.to = stretch.said.to;
    } else wide.push({ own: { ...stretch.own }, said: { ...stretch.said } });
  }
  return wide.map(widened);
}

/** Adds the next word to a stretch if only one of the two texts has words there: `no sea` next to `sea`. */
function widened({ own, said }: Stretch): Stretch {
  if (own.from < own.to && said.from < said.to) return { own, said };
  return { own: { ...own, to: own.to + 1 }, said: { ...said, to: said.to + 1 } };
}

function textOf(text: string, tokens: PlacedWord[], { from, to }: { from: number; to: number }): string {
  const [first, last] = [tokens[from], tokens[Math.min(to, tokens.length) - 1]];
  return first === undefined || last === undefined
    ? ''
    : text.slice(first.start, last.end).replace(/\s+/gu, ' ');
}
