import { isFiller } from './content-words.ts';
import { isSmallWord } from './language.ts';
import { isSameBut, isSameMatter, subjectMatter, wordRoot } from './same-words.ts';
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
    'none of|no(?! (?:more|less|fewer|later|longer|one|doubt|other))|kein(?:e[rsmn]?)?|aucune?(?: des)?|ning[uú]n(?:o|a)?(?: de)?|nessun[oa]?',
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
    '(?<!at |after |in )all|every|each|alle[nr]?|sämtliche[nr]?|jede[rsn]?|tous les|toutes les|chaque|tod[oa]s l[oa]s|cada|所有|全部|每(?:个|名|位)',
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
  noun: string;
}

/**
 * Returns quantifiers that the quoted sentences contradict: `all patients` next to `some patients`. A smaller amount than the quote's follows
 * from it, except `few` and `none`. Each with the quote's: `all … some`. It is certain only where the sentences are otherwise the same.
 */
export function otherQuantifiers(sentence: string, quoted: string[]): Turned[] {
  const own = countedIn(sentence);
  if (own.length === 0) return [];
  const matter = subjectMatter(sentence.replace(ANY, ' '));
  const said = quoted
    .filter((quote) => isSameMatter(matter, subjectMatter(quote.replace(ANY, ' ')), SHARE))
    .flatMap(countedIn);
  return own.flatMap(({ found, rank, noun }) => {
    const others = said.filter((other) => other.noun === noun);
    const [other] = others;
    if (other === undefined || !others.every((one) => isAgainst(rank, one.rank))) return [];
    const isCertain = quoted.some((quote) => isSameBut([sentence, ANY], [quote, ANY]));
    return [{ text: `${found} … ${other.found}`, isCertain }];
  });
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
const NOUN = /^[\s]*(?:[\p{L}\p{M}'’-]+\s){0,3}?[\p{L}\p{M}]{3,}/u;

function countedIn(text: string): Counted[] {
  return [...text.matchAll(ANY)].flatMap(({ 0: found, index, groups = {} }) => {
    const at = WORDS.findIndex((_, place) => groups[`w${place}`] !== undefined);
    const noun = nounIn(text.slice(index + found.length, index + found.length + 60));
    return noun === undefined ? [] : [{ found, rank: WORDS[at]?.[0], noun }];
  });
}

function nounIn(after: string): string | undefined {
  const han = /^的?(?<noun>\p{Script=Han}{2})/u.exec(after)?.groups?.noun;
  if (han !== undefined) return han;
  if (!NOUN.test(after)) return undefined;
  const words = after.match(/[\p{L}\p{M}]+/gu) ?? [];
  const word = words.find((one) => one.length > 2 && !isFiller(one) && !isSmallWord(one));
  return word === undefined || PRONOUNS.has(word.toLowerCase()) ? undefined : wordRoot(word);
}
