import { contentStems, isAlike } from './content-words.ts';
import { sentencesIn } from './same-words.ts';

/** Words of which one, next to an amount, says the opposite of the other. */
const SIDES: [RegExp, RegExp][] = (
  [
    ['cooler|colder', 'warmer|hotter'],
    ['higher', 'lower'],
    ['more', 'less|fewer'],
    ['larger|bigger|greater', 'smaller'],
    ['longer', 'shorter'],
    ['faster|quicker', 'slower'],
    ['older', 'younger'],
    ['earlier', 'later'],
    ['heavier', 'lighter'],
    ['better', 'worse'],
  ] as const
).map(([one, other]) => [wholeWord(one), wholeWord(other)]);
const HAN_SIDES: [RegExp, RegExp][] = [
  [/高/u, /低/u],
  [/多/u, /少/u],
  [/长/u, /短/u],
  [/快/u, /慢/u],
];
/** Verbs that say which way an amount went. */
const VERBS: [RegExp, RegExp] = [
  wholeWord('rose|raised?|raises|increased?|increases|grew|gained'),
  wholeWord('fell|lowered|lowers|decreased?|decreases|reduced?|reduces|dropped|lost'),
];

function wholeWord(words: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu');
}

const AMOUNT = /(?<![\p{L}\d.,])\d+(?:[.,]\d+)*/gu;
const CLAUSE_BEFORE = /(?<![^,;:!?，；：。\n])[^,;:!?，；：。\n]*$/u;
const DENIES =
  /(?<!\p{L})(?:not|never|cannot)(?!\p{L})(?!\s(?:only|just|merely|even|more|less|fewer|until|exceed|reach|necessarily))|n['’]t\b|(?<![不])(?:不(?!到|足|超|仅|只|同|少|多|[低高大小长短早晚]于)|没有)/iu;
/** They turn a denial into something else, or say one without its words. */
const OPEN =
  /(?<!\p{L})(?:no|none|nor|without|fail\w*|below|under|less|fewer|more|most|least|exceed\w*|up to|almost|nearly|if|unless|whether)(?!\p{L})|[不没未无非]/iu;
const REACH = 60;
/** An amount is compared with each of the quotes: a sentence has few. */
const MAX_AMOUNTS = 12;

interface Amount {
  digits: string;
  /** What precedes it in its clause, and what follows. */
  before: string;
  after: string;
}

/**
 * Returns amounts of a sentence that the quotes give the other way (`2 °C warmer` next to `2 °C cooler`), or that the sentence
 * denies and the quotes do not. Only the same digits in a sentence about the same are compared.
 */
export function turnedAmounts(sentence: string, quotes: string[]): string[] {
  const own = amountsIn(sentence).slice(0, MAX_AMOUNTS);
  if (own.length === 0) return [];
  const stems = contentStems(sentence);
  const said = quotes
    .flatMap(sentencesIn)
    .filter((quote) => isAboutSame(sentence, stems, quote))
    .flatMap(amountsIn);
  return own
    .filter((amount) => {
      const same = said.filter(({ digits }) => digits === amount.digits);
      return same.length > 0 && same.every((other) => isTurned(amount, other) || isDenied(amount, other));
    })
    .map(({ digits, before, after }) => `${lastWords(before)}${digits}${nextWords(after)}`.trim());
}

/** How much is shown around an amount, in whole words. */
const SHOWN = 20;

function lastWords(before: string): string {
  const shown = before.slice(-SHOWN);
  return before.length > SHOWN && /\S$/u.test(before.slice(0, -SHOWN))
    ? shown.replace(/^[^\s\p{Script=Han}]+/u, '')
    : shown;
}

function nextWords(after: string): string {
  const shown = after.slice(0, SHOWN);
  return /^\S/u.test(after.slice(SHOWN)) ? shown.replace(/[^\s\p{Script=Han}]+$/u, '') : shown;
}

/** Characters of Chinese tell little: there the digits and their words decide. */
function isAboutSame(sentence: string, stems: Set<string>, quote: string): boolean {
  return /\p{Script=Han}/u.test(sentence) || isAlike(stems, contentStems(quote));
}

function amountsIn(lines: string): Amount[] {
  const text = lines.replaceAll('\n', ' ');
  return [...text.matchAll(AMOUNT)].map(({ 0: digits, index }) => ({
    digits,
    before: clauseBefore(text.slice(Math.max(0, index - REACH), index)),
    after: /^[^,;:!?，；：。\n]*/u.exec(text.slice(index + digits.length).slice(0, REACH))?.[0] ?? '',
  }));
}

function clauseBefore(text: string): string {
  const sentence = text.split(/[.!?]\s/u).at(-1) ?? '';
  return CLAUSE_BEFORE.exec(sentence)?.[0] ?? '';
}

function isTurned(own: Amount, said: Amount): boolean {
  if (isConverse(partiesOf(own), partiesOf(said))) return false;
  const after = SIDES.some((sides) => isAgainst(sides, firstWords(own.after), firstWords(said.after)));
  const han = HAN_SIDES.some((sides) => isAgainst(sides, own.before.slice(-3), said.before.slice(-3)));
  return after || han || isAgainst(VERBS, own.before, said.before);
}

/** What an amount compares, and with what; the second is empty if the clause doesn't say it. */
interface Parties {
  one: Set<string>;
  other: Set<string>;
}

function partiesOf({ before, after }: Amount): Parties {
  const than = /(?<!\p{L})than(?!\p{L})(?<rest>.*)$/iu.exec(after)?.groups?.rest;
  const [, compared = before, with_ = ''] = /^(?<one>.*)[比较](?<other>.*)$/u.exec(before) ?? [];
  const [one, other] = than === undefined ? [compared, with_] : [before, than];
  const [ofOne, ofOther] = [partyWords(one), partyWords(other)];
  return { one: ofOne.difference(ofOther), other: ofOther.difference(ofOne) };
}

function partyWords(text: string): Set<string> {
  const signs = text.match(/\p{Script=Han}|\d+|(?<!\p{L})\p{Lu}(?!\p{L})/gu) ?? [];
  return new Set([...signs, ...contentStems(text.replaceAll(/\p{Script=Han}/gu, ' '))]);
}

/** `A is 5 higher than B` is `B is 5 lower than A`. */
function isConverse(own: Parties, said: Parties): boolean {
  const meets = (one: Set<string>, other: Set<string>) => !one.isDisjointFrom(other);
  const isHalf = own.other.size === 0 || said.other.size === 0;
  const [forth, back] = [meets(own.one, said.other), meets(said.one, own.other)];
  return isHalf ? (forth || back) && !meets(own.one, said.one) : forth && back;
}

/** The unit, and the word behind it. */
function firstWords(after: string): string {
  return /^(?:[^\p{L}]*\p{L}+){0,3}/u.exec(after)?.[0] ?? '';
}

function isAgainst([one, other]: [RegExp, RegExp], own: string, said: string): boolean {
  const only = (text: string) => (one.test(text) === other.test(text) ? undefined : one.test(text));
  const [mine, theirs] = [only(own), only(said)];
  return mine !== undefined && theirs !== undefined && mine !== theirs;
}

function isDenied(own: Amount, said: Amount): boolean {
  const denial = DENIES.exec(own.before);
  if (denial === null) return false;
  const rest = own.before.replace(denial[0], '');
  return ![rest, said.before, said.after].some((text) => OPEN.test(text) || DENIES.test(text));
}
