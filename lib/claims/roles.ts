import type { Language } from './language.ts';

/** Verbs that say the same of both, so that their order tells nothing, and words that are no verbs. */
const SYMMETRIC = new Set(
  'is are was were be been equals meets met met marries married borders resembles joined contains becomes became means meant shares shared differs correlates correlated interacts interacted faces faced plays played fights fought and or with of in at for to from by than versus against near opposite like as not that which who where when while but'.split(
    ' ',
  ),
);
const HAS = new Set('has have had'.split(' '));
const NO_VERB = new Set('and or with than versus against near , ; : ( ) " “ ” — –'.split(' '));
const IS = new Set('is are was were'.split(' '));
/** Comparisons and relations of which only one side can be so. */
const COMPARES =
  /(?<!\p{L})(?:(?:\p{L}{3,}er|better|worse|(?:more|less|fewer) \p{L}+) than|(?:north|south|east|west|(?:north|south)-?(?:east|west)|part|tributary|son|daughter|father|mother|author|founder|owner|member|subset|cousin|nephew|teacher|student|pupil) of)$/iu;
const PATH = new Set('to into toward towards'.split(' '));
const ARTICLES = new Set('the a an le la les l un une el los las una il lo i gli das'.split(' '));
/** German articles that show what a noun does, wherever it is. */
const CASES = new Set('den dem des einen einem eines der einer'.split(' '));
const TOKEN = /[\p{L}\p{M}\p{N}]+(?:[-.&][\p{L}\p{M}\p{N}]+)*|[,;:()"“”—–]/gu;
const MAX_TOKENS = 40;
const MAX_VERB = 6;
const MAX_NAME = 5;

/**
 * Returns the sentence if a quoted one has its two names the other way round: `A bought B` next to `B bought A`. Compares only
 * sentences that are otherwise the same, in languages whose word order tells who does what.
 */
export function exchangedRoles(sentence: string, quoted: string[], language: Language | undefined): string[] {
  const own = wordsOf(sentence);
  if (own === undefined) return exchangedHan(sentence, quoted);
  const said = quoted.map((quote) => wordsOf(quote) ?? []);
  if (said.some((words) => words.join(' ') === own.join(' '))) return [];
  const turned = said.find((words) => isExchanged(own, words, language));
  return turned === undefined ? [] : [sentence.trim().slice(0, 200)];
}

function wordsOf(sentence: string): string[] | undefined {
  if (
    /[\p{Script=Han}\p{Script=Hangul}\p{Script=Katakana}\p{Script=Cyrillic}\p{Script=Greek}]/u.test(sentence)
  )
    return undefined;
  const words =
    sentence
      .trim()
      .replace(/[.!?]$/u, '')
      .match(TOKEN) ?? [];
  return words
    .filter((word, at) => !ARTICLES.has(at === 0 ? word.toLowerCase() : word))
    .map((word) => word.toLowerCase());
}

/** How many words the two may share at their beginning or end: `protein A`, `protein B`. */
const SHARED = 2;

/** Both are `before A verb B after`, with A and B exchanged. */
function isExchanged(own: string[], said: string[], language: Language | undefined): boolean {
  if (own.length !== said.length || own.length < 3 || own.length > MAX_TOKENS) return false;
  const start = own.findIndex((word, at) => word !== said[at]);
  const end = own.findLastIndex((word, at) => word !== said[at]) + 1;
  for (let from = start; from >= Math.max(0, start - SHARED); from--)
    for (let to = end; to <= Math.min(own.length, end + SHARED); to++)
      if (isExchangedWithin(own.slice(from, to), said.slice(from, to), language, own[from - 1])) return true;
  return false;
}

function isExchangedWithin(
  mine: string[],
  theirs: string[],
  language: Language | undefined,
  before?: string,
): boolean {
  for (let first = 1; first <= Math.min(MAX_NAME, mine.length - 2); first++)
    for (let second = 1; second <= Math.min(MAX_NAME, mine.length - first - 1); second++)
      if (isExchangedAt(mine, theirs, first, second) && tells(mine, first, second, language, before))
        return true;
  return false;
}

function isExchangedAt(mine: string[], theirs: string[], first: number, second: number): boolean {
  const [a, verb, b] = [mine.slice(0, first), mine.slice(first, -second), mine.slice(-second)];
  return [...b, ...verb, ...a].join(' ') === theirs.join(' ');
}

/** Whether the words between say something that only one of the two does to the other. */
function tells(
  words: string[],
  first: number,
  second: number,
  language: Language | undefined,
  before = '',
): boolean {
  const verb = words.slice(first, -second);
  const names = [...words.slice(0, first), ...words.slice(-second)];
  if (verb.length > MAX_VERB || names.some((word) => CASES.has(word) || !/^\p{L}/u.test(word))) return false;
  if (before === 'from') return PATH.has(verb.join(' '));
  return COMPARES.test(verb.join(' ')) || isVerb(verb, language);
}

/** How an English verb in the third person or the past ends. */
const ENGLISH_VERB = /(?:s|ed|ght|nt|oke|ose|ew|ld|ot|ove)$/;

/** Languages in which the object may come first: only verbs that one name does to another. */
const FOREIGN_VERBS =
  /^(?:übernahm|übernimmt|kaufte|erwarb|besiegte|schlug|verklagte|gründete|tötete|hemmt|hemmte|aktiviert|verursacht|überholte|unterrichtete|(?:gewann|siegte|verlor) gegen|(?:(?:a|ont) )?(?:racheté|acheté|acquis|battu|vaincu|fondé|tué|dépassé|remplacé|poursuivi)|rachète|inhibe|cause|provoque|compró|adquirió|derrotó|venció|demandó|fundó|mató|superó|causa|provoca)$/u;

/** A verb in its active form, in a perfect tense, or in the passive: `acquired`, `has acquired`, `was acquired by`. */
function isVerb(words: string[], language: Language | undefined): boolean {
  if (FOREIGN_VERBS.test(words.join(' '))) return true;
  const [first = '', second = '', third, ...rest] = words;
  if ((language ?? 'en') !== 'en' || words.some((word) => NO_VERB.has(word))) return false;
  if (third !== undefined)
    return IS.has(first) && third === 'by' && (rest.length === 0 || /^an? \w+ of$/.test(rest.join(' ')));
  if (second !== '') return HAS.has(first) && !SYMMETRIC.has(second) && /(?:ed|ght|en|ten)$/.test(second);
  return !SYMMETRIC.has(first) && ENGLISH_VERB.test(first);
}

const HAN_SENTENCE = /^(?<text>[\p{Script=Han}A-Za-z\d]{5,40})[。！]?$/u;
const HAN_SYMMETRIC = /^(?:[和与同跟及或、]|是|为|等于|不是|相当于|位于|毗邻)/u;

/** In Chinese, where no blanks separate the words: two ends of the sentence are exchanged, with a verb of two characters between. */
function exchangedHan(sentence: string, quoted: string[]): string[] {
  const own = HAN_SENTENCE.exec(sentence.trim())?.groups?.text;
  if (own === undefined) return [];
  const said = quoted.map((quote) => quote.trim().replace(/[。！]$/u, ''));
  if (said.includes(own)) return [];
  return said.some((quote) => isExchangedHan(own, quote)) ? [own] : [];
}

function isExchangedHan(own: string, said: string): boolean {
  if (own.length !== said.length || [...own].toSorted().join('') !== [...said].toSorted().join(''))
    return false;
  for (let first = 2; first <= own.length - 4; first++) {
    if (!said.endsWith(own.slice(0, first))) continue;
    for (let second = 2; second <= own.length - first - 2; second++) {
      const verb = own.slice(first, -second);
      if (said === own.slice(-second) + verb + own.slice(0, first)) return !HAN_SYMMETRIC.test(verb);
    }
  }
  return false;
}
