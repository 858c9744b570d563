import { boundOf } from './bounds.ts';
import { contentStems, isAlike } from './content-words.ts';
import { holdsDenial, holdsLimit } from './denials.ts';
import { differenceBetween } from './difference.ts';
import { sentencesIn } from './same-words.ts';
import type { Turned } from './turned.ts';

/**
 * An amount in digits with its neighbors: in Chinese, one character before it; otherwise, its unit and the
 * next word.
 */
const AMOUNT =
  /(?<han>\p{Script=Han})?\s?(?<![\p{L}\d.,])(?<digits>\d+(?:[.,]\d+)*)\s?(?<unit>[^\s\p{Script=Han}.,;:!?()]+)?(?:\s(?<next>\p{Script=Latin}+))?/gu;
const MOST_AMOUNTS = 12;

/** Matches the part of a clause before an amount, because it may negate the amount. */
const CLAUSE_BEFORE = /(?:\p{Script=Han}{0,3}|[^,;:.!?，；：。！？\p{Script=Han}]{0,24})$/u;
/**
 * Matches the word in `11 °C warmer`. Other words after an amount have synonyms (`30 employees worldwide`),
 * as these may, so a difference is only a doubt, except in Chinese.
 */
const COMPARES = /(?:er|^more|^less)$/iu;
/** Chinese characters that only connect words. */
const JOINS = /[的了在于约近达有是为至到及和与]/u;

interface Amount {
  digits: string;
  unit: string;
  /** The neighbor of the amount; empty if it has no meaning. */
  side: string;
  /**
   * Whether its clause negates the amount. `never more than 20` has a negated limit, which is another limit,
   * not a negated amount.
   */
  isDenied: boolean;
  /** True if its sentence has a negation anywhere. */
  isNearDenial: boolean;
}

/**
 * Returns a word that differs next to the same amount in a quote (`11 °C warmer`, `11 °C cooler`), and an
 * amount that only one of the two negates.
 */
export function turnedAmounts(sentence: string, quotes: string[]): Turned[] {
  const own = amountsIn(sentence).slice(0, MOST_AMOUNTS);
  if (own.length === 0) return [];
  const isHan = isChinese(sentence);
  const stems = contentStems(sentence);
  const alike = quotes
    .flatMap(sentencesIn)
    .filter((said) => (isHan ? isChinese(said) : isAlike(stems, contentStems(said))));
  const said = alike.flatMap(amountsIn);
  return own.flatMap((amount): Turned[] => {
    const same = said.filter(({ digits, unit }) => digits === amount.digits && unit === amount.unit);
    if (same.length === 0) return [];
    if (same.every((other) => isDeniedOnce(amount, other)))
      return [{ rule: 'negation', text: `${amount.digits} ${amount.unit}`.trim(), isCertain: false }];
    const sides = same.map(({ side }) => side).filter((side) => side !== '');
    const [found] = sides;
    if (amount.side === '' || found === undefined || sides.includes(amount.side)) return [];
    const isCertain = isHan && differsOnlyIn(amount.side, sentence, quotes);
    return [{ rule: 'direction', text: amount.side, found, isCertain }];
  });
}

/** Returns whether one amount is negated while the sentence of the other has no negation. */
function isDeniedOnce(one: Amount, other: Amount): boolean {
  return (one.isDenied && !other.isNearDenial) || (other.isDenied && !one.isNearDenial);
}

function differsOnlyIn(word: string, sentence: string, quotes: string[]): boolean {
  const { own = [] } = differenceBetween(sentence, quotes) ?? {};
  return own.length === 1 && own[0]?.toLowerCase() === word;
}

function isChinese(text: string): boolean {
  return /\p{Script=Han}/u.test(text);
}

function amountsIn(lines: string): Amount[] {
  const text = lines.replaceAll('\n', ' ');
  const isNearDenial = holdsDenial(text);
  return [...text.matchAll(AMOUNT)].map(({ 0: found, index, groups = {} }) => {
    const { digits = '', unit = '', han = '', next = '' } = groups;
    const side = JOINS.test(han) ? '' : han;
    const before = CLAUSE_BEFORE.exec(text.slice(0, index + han.length))?.[0] ?? '';
    const word = COMPARES.test(next) ? next.toLowerCase() : '';
    const start = index + found.indexOf(digits);
    const isLimit = holdsLimit(before) || boundOf(text, start, start + digits.length) !== undefined;
    const isDenied = !isLimit && holdsDenial(before);
    return { digits, unit, side: isLimit ? '' : side || word, isDenied, isNearDenial };
  });
}
