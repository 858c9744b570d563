import { contentStems, isAlike, isFiller, stemOf } from './content-words.ts';
import { isSameBut, sentencesIn } from './same-words.ts';
import type { Turned } from './turned.ts';

const TIMES = 'few|several|\\d+|hour|night|day|week|month|quarter|season|year|decade|century';
/** Words of which one says the opposite of the other about the same thing, as regular expressions of English. */
const OPPOSITES: [string, string][] = [
  [
    'before|prior to|until|till|preceding|ahead of|vor|avant|antes|prima',
    'after|since|following|subsequent to|nach|après|después|depois|dopo',
  ],
  ['uph[eo]ld\\w*|affirm(?:s|ed|ing)?', 'overturn(?:s|ed|ing)?|quash(?:es|ed|ing)?'],
  [
    'increas\\w+|rais(?:e[sd]?|ing)|boost\\w*|elevat\\w+',
    'reduc\\w+|decreas\\w+|lower(?:s|ed|ing)|diminish\\w*',
  ],
  ['improv\\w+', 'worsen\\w*|deteriorat\\w+'],
  ['up-?regulat\\w+', 'down-?regulat\\w+'],
  ['upstream', 'downstream'],
  ['promot(?:e[sd]?|ing)', 'demot(?:e[sd]?|ing)'],
  [
    'stimulat\\w+|activat\\w+|induc(?:e[sd]?|ing)',
    'inhibit\\w*|repress(?:es|ed|ing)?|suppress(?:es|ed|ing)?|deactivat\\w+',
  ],
  ['enabl(?:e[sd]?|ing)', 'disabl(?:e[sd]?|ing)'],
  ['hir(?:e[sd]?|ing)', 'fir(?:e[sd]?|ing)|dismiss\\w*'],
  ['melt(?:s|ed|ing)?', 'freez(?:e[sd]?|ing)|froze(?:n)?'],
  ['grant(?:s|ed|ing)?|allow\\w*', 'den(?:y|ies|ied|ying)|dismiss\\w*'],
  ['bought|buys?|buying|purchas\\w+', 'sold|sells?|selling'],
  ['includ(?:e[sd]?|ing)', 'exclud(?:e[sd]?|ing)'],
  ['malignant', 'benign'],
  ['prospective', 'retrospective'],
  ['consent(?:s|ed|ing)?', 'refus(?:e[sd]?|ing)|object(?:s|ed|ing)?'],
  ['pass(?:es|ed|ing)?|adopt(?:s|ed|ing)?', 'block(?:s|ed|ing)?|defeat(?:s|ed|ing)?'],
  ['strengthen\\w*', 'weaken\\w*'],
  ['above|exceed\\w*|beyond', 'below|beneath'],
  ['first|1st|initial', `last(?! (?:${TIMES})\\b)|final`],
  ['largest|biggest|greatest', 'smallest'],
  ['highest', 'lowest'],
  ['best', 'worst'],
  ['earliest|oldest', 'latest|newest|youngest'],
  ['longest', 'shortest'],
  ['fastest', 'slowest'],
  ['strongest', 'weakest'],
  ['maximum|maximal', 'minimum|minimal'],
  ['left', 'right'],
  ['upper', 'lower'],
  ['north(?:ern)?', 'south(?:ern)?'],
  ['east(?:ern)?', 'west(?:ern)?'],
  ['male', 'female'],
  ['positive', 'negative|inverse'],
  ['internal', 'external'],
  ['majority', 'minority'],
  ['imports?|imported|importing', 'exports?|exported|exporting'],
  ['approv\\w+|accept\\w*', 'reject\\w*|disapprov\\w+'],
  ['allow\\w*|permit\\w*', 'forb[ai]d\\w*|prohibit\\w*|bans?|banned|banning'],
  ['profits?|profitable', 'loss(?:es)?|unprofitable'],
  ['w[io]n(?:s|ning)?', 'los(?:t|es?|ing)'],
  ['supports?|supported|supporting|favou?r(?:s|ed|ing)?', 'oppos(?:e[sd]?|ing)'],
  ['convict(?:s|ed|ing)?', 'acquit(?:s|ted|ting)?'],
  ['confirm(?:s|ed|ing)?', 'den(?:y|ies|ied|ying)'],
  ['effective(?:ly)?', 'ineffective(?:ly)?'],
  ['significant(?:ly)?', 'insignificant(?:ly)?'],
  ['secure', 'insecure'],
  ['constitutional', 'unconstitutional'],
  ['open', 'closed'],
  ['rarely|seldom', 'often|frequently|usually'],
  ['safe|harmless', 'unsafe|dangerous|harmful|hazardous|toxic'],
];
/** Of two things one is it and the other is not, so that only those compared with the same thing are opposites. */
const COMPARED: [string, string][] = [
  ['more', 'less|fewer'],
  ['higher|larger|bigger|greater', 'lower|smaller'],
  ['better', 'worse'],
  ['faster|quicker', 'slower'],
  ['longer', 'shorter'],
  ['older', 'younger|newer'],
  ['cheaper', 'dearer|costlier|more expensive'],
  ['earlier', 'later'],
  ['stronger', 'weaker'],
  ['above', 'below'],
];

interface Relation {
  sides: [RegExp, RegExp];
  isCompared: boolean;
}

const RELATIONS: Relation[] = [
  ...OPPOSITES.map((words) => ({ sides: sidesOf(words), isCompared: false })),
  ...COMPARED.map((words) => ({ sides: sidesOf(words), isCompared: true })),
];
const ANY = wholeWord([...OPPOSITES, ...COMPARED].flat().join('|'));

function sidesOf([one, other]: [string, string]): [RegExp, RegExp] {
  return [wholeWord(one), wholeWord(other)];
}

function wholeWord(words: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}-])(?:${words})(?![\\p{L}\\p{N}])`, 'giu');
}

/** Words that take back the word after them, or ask for it. */
const TAKES_BACK =
  /\b(?:not|no|nor|never|neither|none|without|hardly|cannot|lack\w*|absence|absent|stop\w*|quit\w*|cease\w*|cessation|avoid\w*|prevent\w*|less|fewer|fail\w*|false|if|unless|whether)\b|n['’]t\b/iu;
const CLAUSE_BEFORE = /(?<![^,;:.!?()—\n])[^,;:.!?()—\n]*$/u;
const CLAUSE_AFTER = /^(?:(?!\b(?:and|or|but|while|whereas)\b)[^,;:.!?()—\n]|[.,](?=\d))*/iu;
const PASSIVE = /\b(?:is|are|was|were|be|been|being|stays?|stayed|remains?|remained)\s(?:\w+ly\s)?$/iu;
const PREPOSITION = wholeWord(`${OPPOSITES[0]?.join('|')}|above|below|beyond|beneath`);
const REACH = 80;
/** How many words next to it say what a word is about. */
const ABOUT = 2;

/**
 * The words of a sentence whose opposite the quotes have instead, about the same thing: `before 2020` next to `after 2020`. A
 * quote that has the word, too, or one that takes its opposite back, is for a judge; so is one about something else. It is certain
 * only where the sentences are otherwise the same: `A imports from B` is `B exports to A`.
 */
export function turnedOpposites(sentence: string, quotes: string[]): Turned[] {
  const used = [...new Set(sentence.match(ANY))];
  const uses = (words: RegExp) => used.some((word) => word.search(words) !== -1);
  const relations = RELATIONS.flatMap(({ sides: [one, other], isCompared }) => {
    if (uses(one) === uses(other)) return [];
    const [words, opposites] = uses(one) ? [one, other] : [other, one];
    return turnedIn(sentence, quotes, { words, opposites, isCompared });
  });
  return [...relations, ...turnedHanOrder(sentence, quotes).map((text) => ({ text, isCertain: false }))];
}

const HAN_ORDER = /(?<about>\p{Script=Han}{2})[之以](?<side>[前后])/gu;

/** `战争之前`, next to `战争之后`. */
function turnedHanOrder(sentence: string, quotes: string[]): string[] {
  return [...sentence.matchAll(HAN_ORDER)]
    .filter(({ groups: { about, side } = {} }) => {
      const has = (mark: string) =>
        quotes.some((quote) => [`之${mark}`, `以${mark}`].some((end) => quote.includes(`${about}${end}`)));
      return has(side === '前' ? '后' : '前') && !has(side ?? '');
    })
    .map(({ 0: found }) => found);
}

interface Sides {
  words: RegExp;
  opposites: RegExp;
  isCompared: boolean;
}

function turnedIn(sentence: string, quotes: string[], { words, opposites, isCompared }: Sides): Turned[] {
  if (quotes.some((quote) => quote.search(words) !== -1)) return [];
  const rest = contentStems(sentence.replaceAll(words, ' '));
  const said = quotes
    .flatMap((quote) => usesOf(quote, opposites, isCompared))
    .filter(({ from }) => isAlike(rest, contentStems(from)));
  const isCertain = () =>
    quotes.flatMap(sentencesIn).some((quote) => isSameBut([sentence, words], [quote, opposites]));
  return usesOf(sentence, words, isCompared)
    .filter(({ about }) => said.some((other) => about.some((one) => other.about.includes(one))))
    .map(({ found }) => ({ text: found, isCertain: isCertain() }));
}

interface Use {
  found: string;
  from: string;
  about: string[];
}

/** Where a text uses a word, and about what; omits words that the text takes back. */
function usesOf(text: string, words: RegExp, isCompared: boolean): Use[] {
  return [...text.matchAll(words)].flatMap(({ 0: found, index }) => {
    const before = CLAUSE_BEFORE.exec(text.slice(Math.max(0, index - REACH), index))?.[0] ?? '';
    if (TAKES_BACK.test(before)) return [];
    const start = index + found.length;
    const after = CLAUSE_AFTER.exec(text.slice(start, start + REACH))?.[0] ?? '';
    return [{ found, from: text, about: isCompared ? standardOf(after) : aboutOf(found, before, after) }];
  });
}

/** For a verb or an adjective after `is`, also what precedes it. */
function aboutOf(found: string, before: string, after: string): string[] {
  if (found.search(PREPOSITION) !== -1) return wordsOf(after).slice(0, 1);
  const about = wordsOf(after).slice(0, ABOUT);
  return PASSIVE.test(before) ? [...wordsOf(before).slice(-ABOUT), ...about] : about;
}

const ARTICLES = new Set('der dem den des la le les l el los las del de du un une una que il lo'.split(' '));

/** With what something is compared, in which respect: `more energy than buses`. */
function standardOf(after: string): string[] {
  const [respect = '', standard] = after.split(/\bthan\b/u);
  if (standard === undefined) return [];
  const than = /^(?:\s*[^\s]+){1,2}/u.exec(standard)?.[0].toLowerCase().trim() ?? '';
  return [`${wordsOf(respect).join(' ')} than ${than}`];
}

function wordsOf(clause: string): string[] {
  const words = clause.match(/[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu) ?? [];
  return words.filter((word) => !isFiller(word) && !ARTICLES.has(word)).map(stemOf);
}
