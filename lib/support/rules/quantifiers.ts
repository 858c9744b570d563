import { holdsDenial, isAboutSame } from './denials.ts';
import { subjectMatter } from './same-words.ts';
import type { Turned } from './turned.ts';

/** Quantifiers in order, from none to all. `Almost all` counts as most; the amount of `not all` is unknown. */
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
    '(?<!at |after |in )all|everybody|everyone|every|each(?! other)|alle[nr]?|sämtliche[nr]?|jede[rsn]?|tous les|toutes les|chaque|tod[oa]s l[oa]s|cada|所有|全部|每(?:个|名|位)',
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

interface Counted {
  found: string;
  rank: Rank | undefined;
}

/**
 * Returns a quantifier that quoted sentences about the same subject contradict, with the quantifier in them:
 * `all` and `some`. A smaller amount follows from a larger one, except `few` and `none`. The result is
 * certain only if the sentences are otherwise the same.
 */
export function otherQuantifiers(sentence: string, quoted: string[]): Turned[] {
  const own = countedIn(sentence);
  if (own.length === 0) return [];
  const matterOf = (text: string) => subjectMatter(text.replace(ANY, ' '));
  const isDenied = (text: string) => holdsDenial(text.replace(ANY, ' '));
  const [matter, denied] = [matterOf(sentence), isDenied(sentence)];
  const alike = quoted
    .map((text) => ({ counted: countedIn(text), matter: matterOf(text), denied: isDenied(text) }))
    .filter((one) => one.counted.length > 0 && isAboutSame(matter, one.matter));
  const said = alike.flatMap(({ counted }) => counted);
  return own.flatMap(({ found, rank }): Turned[] => {
    const [other] = said;
    if (other === undefined || !said.every((each) => isAgainst(rank, each.rank))) return [];
    const isCertain = alike.some(
      (one) => one.denied === denied && [...one.matter].join() === [...matter].join(),
    );
    return [{ rule: 'quantifier', text: found, found: other.found, isCertain }];
  });
}

function countedIn(text: string): Counted[] {
  return [...text.matchAll(ANY)].map(({ 0: found, groups = {} }) => {
    const at = WORDS.findIndex((_, place) => groups[`w${place}`] !== undefined);
    return { found, rank: WORDS[at]?.[0] };
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
