import { isDenied } from './negation.ts';
import { sentencesIn, subjectMatter } from './same-words.ts';
import { ASKED } from './stance.ts';
import { ANSWERS_NO } from './takes-back.ts';

const FALSEHOOD = 'myth|misconception|fallacy|hoax|rumou?r|superstition|falsehood|nonsense|lie';
const NO_TRUTH = 'false|untrue|wrong|incorrect|mistaken|fake|unfounded|debunked|disprove[dn]|refuted';
const HOW = '(?:an?|the|just|only|simply|completely|entirely|totally|widespread|common|popular|old)';
const NOT_TRUE = `(?:${HOW} ){0,3}(?:${FALSEHOOD}|${NO_TRUTH}|not (?:the case|true|correct|right|accurate))(?!\\p{L})`;
const ISNT_TRUE = "(?:is|was)n['’]t (?:the case|true|correct|right|so)(?!\\p{L})";
const THOUGHT = '(?:claim|idea|belief|notion|myth|statement|assertion|theory|rumou?r|story|view)s?';
const HAN_FALSE = '(?:错误|不正确|不实|谣言|不对|不成立|误解|误区|伪科学|假的|不是真的|没有根据|没有依据)';

/** What calls false the sentence that it is part of: `It is a myth that …`, `Myth 3: …`, `The following is wrong: …`. */
const WITHIN = [
  `(?<!\\p{L})(?:(?:is|was|it['’]s|that['’]s) ${NOT_TRUE}|${ISNT_TRUE})(?: belief| idea| claim| notion)?(?: to (?:say|think|believe|claim|assume))?,? that(?!\\p{L})`,
  `(?<!\\p{L})(?:${FALSEHOOD}|${NO_TRUTH})s?(?: (?:beliefs?|claims?|statements?|ideas?|news))?(?: ?#?\\d{1,3})?\\*{0,2} ?[:：]`,
  `(?<!\\p{L})(?:${FALSEHOOD}|(?:false|wrong|mistaken|incorrect|erroneous)ly(?: \\p{L}+)?) that(?!\\p{L})`,
  `(?<!\\p{L})(?:following|these|next)(?!\\p{L})[^:：.!?]{0,60}${NOT_TRUE}[^:：.!?]{0,30}[:：]`,
  `(?<!\\p{L})(?:no|little) (?:\\p{L}+ )?(?:evidence|proof|indication|sign)s? (?:\\p{L}+ )?that(?!\\p{L})`,
  `(?<!\\p{L})(?:no(?:body| one)|no stud(?:y|ies)|never) (?:\\p{L}+ )?(?:show[ns]?|showed|prove[dns]?|found|demonstrated|confirmed) that(?!\\p{L})`,
  '(?:误区|谣言|误解|误传|传言|迷信|错误(?:的?(?:说法|观点|认识|看法))?)[一二三四五六七八九十\\d]{0,2} ?[:：]',
  `(?:以下|下列|下面)[^：:。]{0,9}${HAN_FALSE}[^：:。]{0,5}[:：]`,
  '谣言[说称]|误以为|误认为|谣传|(?:没有|尚无|缺乏)(?:任何|充分|足够)?(?:证据|依据|根据)(?:表明|证明|显示)',
].map((form) => new RegExp(form, 'giu'));
/** What does at its end: `The claim that … is false`. The first has to be before the second. */
const BEHIND: [RegExp, RegExp][] = [
  [`(?<!\\p{L})${THOUGHT},? that(?!\\p{L})`, `(?<!\\p{L})(?:is|was|are|were|been) ${NOT_TRUE}|${ISNT_TRUE}`],
  ['', `(?:(?<!\\p{L})(?:is|was)|[–—,-]) ${NOT_TRUE}\\s*[.!]?$`],
  ['认为', `[是属][^。，]{0,4}${HAN_FALSE}`],
  ['', `(?:说法|观点|想法|看法|认识|传言)[^。，]{0,8}${HAN_FALSE}`],
  ['', `[是于](?:一种|一个|典型的)?(?:${HAN_FALSE}|迷信)的?[。！]?$`],
].map(([first = '', second = '']) => [new RegExp(first, 'iu'), new RegExp(second, 'iu')]);
/** A sentence behind it, `This is a myth.`, but not `It is not true that …`. */
const NEXT = [
  `^[\\s|*_>"“'‘(-]*(?:no[,.] )?(?:(?:but|however|yet),? )?(?:this|that|it|the ${THOUGHT})(?:(?: \\p{L}+)? (?:is|was|has been)|['’]s) ${NOT_TRUE}(?=[*_\\s]*(?:[.!,;|)]|$)| (?:because|as|since|and|but|for)(?!\\p{L}))`,
  `^[\\s|*_>"“'‘(-]*(?:this|that|it|the ${THOUGHT}) ${ISNT_TRUE}(?!,? that(?!\\p{L}))`,
  `^[\\s|*_>"“'‘(-]*(?:${NO_TRUTH}|not true|(?:an? )?(?:${FALSEHOOD}))[*_]* ?(?:[.!|]|$)`,
  `^(?:但|其实|然而|不过)?[，,]?(?:这|那|此|该|上述)[^。，]{0,8}${HAN_FALSE}(?:的|说法|信息|观点)?(?:[。！，；]|$)`,
].map((form) => new RegExp(form, 'iu'));
/** A sentence before it: `The following is false.` */
const PREVIOUS = [
  `(?<!\\p{L})(?:following|next)(?!\\p{L}).{0,60}${NOT_TRUE}`,
  `(?:以下|下列|下面).{0,20}${HAN_FALSE}`,
].map((form) => new RegExp(form, 'iu'));
/** The name of a column of a table. */
const COLUMN = new RegExp(
  `^[^\\p{L}]*(?:(?:${FALSEHOOD}|${NO_TRUTH})s?|误区|谣言|误解|错误(?:的?(?:说法|观点|认识))?)[^\\p{L}]*$`,
  'iu',
);
/** A question that a sentence quotes at its end: the rest of the sentence may say something. */
const ASKED_QUOTE = /["“‘「『][^"“”‘「」『』]*[?？]["”’」』)\s]*$/u;
/** So much of a sentence has to be in one that is called false. */
const SHARE = 0.8;
const LONGEST_SHOWN = 200;

interface Disowned {
  /** The sentence of the quotes, with what calls it false. */
  text: string;
  /** Whether what it calls false is what the sentence says; else it is what the sentence denies. */
  isSameWay: boolean;
}

/**
 * Returns where texts only ask, or call false, what a sentence is about. Undefined if one says it plainly, or the sentence does the
 * same. Only plain words count here, unlike in `isTakenBack()`, because no judge looks at it again.
 */
export function disownedIn(sentence: string, texts: string[]): Disowned | undefined {
  const matter = subjectMatter(sentence);
  if (matter.size < 2 || disownedBy({ said: sentence, before: '', next: '' }) !== undefined) return undefined;
  const isAbout = (said: string) => matter.intersection(subjectMatter(said)).size >= SHARE * matter.size;
  const similar = texts.flatMap((text) => placesIn(text, isAbout));
  const disowned = similar.flatMap((place) => disownedBy(place) ?? []);
  const [first] = similar;
  if (first === undefined || disowned.length < similar.length) return undefined;
  const [text = ''] = disowned;
  const isSameWay = denies(sentence) === denies(withoutTruth(first.said));
  return { text: text.trim().slice(0, LONGEST_SHOWN), isSameWay };
}

/** A sentence with those next to it. */
interface Place {
  said: string;
  before: string;
  next: string;
}

/** The sentences of a text that are about something; in a table, below a column for what is false, with its name. */
function placesIn(text: string, isAbout: (said: string) => boolean): Place[] {
  const sentences = sentencesIn(text);
  const columns = sentences.map(cellsOf).find((cells) => cells.some((cell) => COLUMN.test(cell))) ?? [];
  return sentences.flatMap((whole, at) => {
    if (!isAbout(whole)) return [];
    const plain = whole.replace(ASKED_QUOTE, '');
    const said = isAbout(plain) ? plain : whole;
    const column = columns[cellsOf(said).findIndex(isAbout)] ?? '';
    const place = { before: sentences[at - 1] ?? '', next: sentences[at + 1]?.trim() ?? '' };
    return [{ ...place, said: COLUMN.test(column) ? `${column.trim()}: ${said}` : said }];
  });
}

function cellsOf(line: string): string[] {
  return line.includes('|') ? line.trim().replace(/^\|/u, '').split('|') : [];
}

/** The words that ask a sentence or call it false, with the sentence; undefined if none do. */
function disownedBy({ said, before, next }: Place): string | undefined {
  if (ASKED.test(said) && (next === '' || ANSWERS_NO.test(next))) return `${said} ${next}`;
  if (WITHIN.some((form) => said.search(form) !== -1) || isEndedFalse(said)) return said;
  if (NEXT.some((form) => form.test(next))) return `${said} ${next}`;
  return PREVIOUS.some((form) => form.test(before)) ? `${before} ${said}` : undefined;
}

function isEndedFalse(sentence: string): boolean {
  const said = sentence.trim();
  return BEHIND.some(([first, second]) => {
    const from = said.search(first);
    return from !== -1 && second.test(said.slice(from));
  });
}

/** A sentence without what calls it false. */
function withoutTruth(sentence: string): string {
  const rest = WITHIN.reduce((text, form) => text.replace(form, ' '), sentence);
  return isEndedFalse(rest) ? rest.replace(TRUTH, ' ') : rest;
}

const TRUTH = new RegExp(`${NOT_TRUE}|${ISNT_TRUE}|${HAN_FALSE}`, 'giu');

function denies(text: string): boolean {
  return /\p{Script=Han}/u.test(text) ? /[不没未无非]/u.test(text) : isDenied(text);
}
