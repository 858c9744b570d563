import { isFiller } from './content-words.ts';
import { baseOf } from './irregular-verbs.ts';
import { isSmallWord } from './language.ts';
import { differs, isIn, isSameBut, isSameMatter, subjectMatter, wordRoot } from './same-words.ts';
import type { Turned } from './turned.ts';

/** How many of a kind, from none to all. `Almost all` is most; what `not all` are is not known. */
const RANKS = ['none', 'few', 'some', 'many', 'most', 'all'] as const;
type Rank = (typeof RANKS)[number];
const WORDS: [Rank | undefined, string][] = [
  [
    undefined,
    'not (?:all|every|many)|nicht (?:alle|jeder?)|pas tou(?:s|tes)|no tod[oa]s|不是(?:所有|全部)|并非(?:所有|全部)',
  ],
  [
    'most',
    '(?:almost|nearly|practically) (?:all|every)|fast alle|presque tou(?:s|tes)|casi tod[oa]s|几乎(?:所有|全部)',
  ],
  ['few', '(?:almost|nearly) (?:no|none)|hardly any|fast kein\\p{L}*|presque aucune?|casi ning[uú]n\\p{L}*'],
  ['some', 'a few|quite a few'],
  [
    'none',
    'none of|none|nobody|no one|无一|无人|没有一[个名位人]|no(?! (?:more|less|fewer|later|longer|one|doubt|other))|kein(?:e[rsmn]?)?|aucune?(?: des)?|ning[uú]n(?:o|a)?(?: de)?|nessun[oa]?',
  ],
  [
    'few',
    "few|wenige[nr]?|peu(?= d[e’'])|(?:the|a) minority of|(?:la|une) minorité d[eu]s?|la minoría de(?: l[oa]s)?|die Minderheit der|poc[oa]s|少数",
  ],
  [
    'some',
    'some|several|einige[nr]?|manche[nr]?|certain(?:e)?s(?: des)?|quelques|plusieurs|algun[oa]s|vari[oa]s|一些|有些|某些|(?<!大|全)部分',
  ],
  ['many', "many|viele[nr]?|beaucoup(?= d[e’'])|much[oa]s|许多|很多|不少"],
  [
    'most',
    '(?<!the |at )most|the majority of|die meisten|den meisten|la plupart d[eu]s?|la majorité d[eu]s?|la mayoría de(?: l[oa]s)?|大多数|大部分|多数',
  ],
  [
    'all',
    '(?<!at |after |in )all|everybody|everyone|every|each|alle[nr]?|sämtliche[nr]?|jede[rsn]?|tous les|toutes les|chaque|tod[oa]s l[oa]s|cada|所有|全部|每(?:个|名|位)',
  ],
];
const ANY = new RegExp(WORDS.map(([, words], at) => `(?<w${at}>${bounded(words)})`).join('|'), 'giu');

function bounded(words: string): string {
  const [han, latin] = [true, false].map((isHan) =>
    splitWords(words).filter((word) => /\p{Script=Han}/u.test(word) === isHan),
  );
  const spelled = latin?.length ? [`(?<![\\p{L}\\p{M}-])(?:${latin.join('|')})(?![\\p{L}\\p{M}-])`] : [];
  return [...spelled, ...(han ?? [])].join('|');
}

function splitWords(words: string): string[] {
  return words.split(/\|(?![^(]*\))/);
}

/** How much of each sentence has to be in the other. */
const SHARE = 0.6;

interface Counted {
  found: string;
  rank: Rank | undefined;
  /** Whether a pronoun says of what, or nothing: `none of whom`. */
  isPronoun: boolean;
  /** The roots of the words after it. */
  about: string[];
}

/**
 * Returns quantifiers that the quoted sentences contradict: `all patients` next to `some patients`. A smaller amount than the quote's follows
 * from it, except `few` and `none`. Each with the quote's: `all … some`. It is certain only where the sentences are otherwise the same.
 */
export function otherQuantifiers(sentence: string, quoted: string[]): Turned[] {
  const own = countedIn(sentence);
  if (own.length === 0) return [];
  const matterOf = (text: string) => subjectMatter(text.replace(ANY, ' '));
  const matter = matterOf(sentence);
  const said = quoted
    .map((quote) => ({ quote, matter: matterOf(quote) }))
    .filter((one) => isSameMatter(matter, one.matter, SHARE))
    .flatMap(({ quote, matter: others }) =>
      countedIn(quote).map((other) => ({
        ...other,
        isOf: (one: Counted) => saysSame([one, matter], [other, others]),
      })),
    );
  return own.flatMap((one) => {
    const { found, rank } = one;
    const others = said.filter((other) => countsSame(one, other) && other.isOf(one));
    const [other] = others;
    if (other === undefined || !others.every((each) => isAgainst(rank, each.rank))) return [];
    const isNone = [one, ...others].some((each) => each.rank === 'none');
    const isCertain = quoted.some(
      (quote) => isSameBut([sentence, ANY], [quote, ANY]) && !(isNone && differs(matter, matterOf(quote))),
    );
    return [{ rule: 'quantifier', text: found, found: other.found, isCertain }];
  });
}

type CountedIn = [counted: Counted, matter: Set<string>];

/** `None died` is what `all survived` says: each says something that the other sentence doesn't have. */
function saysSame([one, matter]: CountedIn, [other, said]: CountedIn): boolean {
  if (one.rank !== 'none' && other.rank !== 'none') return true;
  return one.about.every(isIn(said)) || other.about.every(isIn(matter));
}

function isAgainst(rank: Rank | undefined, other: Rank | undefined): boolean {
  if (rank === undefined || other === undefined || rank === other) return false;
  const said = RANKS.indexOf(other);
  if (rank === 'none' || other === 'none') return true;
  if (rank === 'few') return said >= RANKS.indexOf('many');
  if (rank === 'most') return said <= RANKS.indexOf('some');
  return rank === 'all';
}

const PRONOUNS = new Set(
  'them those these whom which ihnen denen eux elles ellos ellas loro other others'.split(' '),
);
const ALONE = /^(?:nobody|no one|everybody|everyone|none)$/iu;
const NOUN = /^[\s]*(?:[\p{L}\p{M}\p{N}'’-]+\s){0,3}?[\p{L}\p{M}]{3,}/u;
/** How many words after a quantifier may be its verb. */
const MAX_ABOUT = 4;

function countedIn(text: string): Counted[] {
  return [...text.matchAll(ANY)].flatMap(({ 0: found, index, groups = {} }) => {
    const at = WORDS.findIndex((_, place) => groups[`w${place}`] !== undefined);
    const about = aboutIn(text.slice(index + found.length, index + found.length + 60));
    const [first] = about;
    if (first === undefined) return [];
    const isPronoun = ALONE.test(found) || PRONOUNS.has(first) || isPast(first);
    const roots = about
      .filter((word) => !PRONOUNS.has(word))
      .map((word) => (/\p{Script=Han}/u.test(word) ? word : wordRoot(word)));
    return [{ found, rank: WORDS[at]?.[0], isPronoun, about: roots }];
  });
}

/** `all survived`. */
function isPast(word: string): boolean {
  return /^[a-z]+ed$/.test(word) || baseOf(word) !== word;
}

/** The words after a quantifier: what it counts, and what that does. */
function aboutIn(after: string): string[] {
  const han = /^的?(?<noun>\p{Script=Han}{2})/u.exec(after)?.groups?.noun;
  if (han !== undefined) return [han];
  if (!NOUN.test(after)) return [];
  const words =
    /^[^,;:.!?]*/u
      .exec(after)?.[0]
      .toLowerCase()
      .match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.filter((word) => word.length > 2 && !isFiller(word) && !isSmallWord(word)).slice(0, MAX_ABOUT);
}

/** `none of whom survived` counts what `all patients survived` does: what they do is the same. */
function countsSame(one: Counted, other: Counted): boolean {
  const [first = ''] = one.about;
  const [second = ''] = other.about;
  if (first === second) return true;
  return (one.isPronoun && other.about.includes(first)) || (other.isPronoun && one.about.includes(second));
}
