import { isDenied } from './negation.ts';
import { sentencesIn, subjectMatter } from './same-words.ts';
import { ASKED } from './stance.ts';

const NOT_TRUE = String.raw`(?:(?:an? |the |just |only |simply |pure |plain |complete(?:ly)? |entirely |totally |widespread |common |popular |old |urban ){0,3}(?:myth|misconception|fallacy|hoax|rumou?r|superstition|falsehood|lie|nonsense|false|untrue|wrong|incorrect|mistaken|fake|unfounded|debunked|disproved|disproven|refuted)|(?:not|never|hardly) (?:the case|true|correct|right|accurate))(?!\p{L})`;
/** `It is a myth that …`, `Myth: …`, `The following is wrong: …`. */
const BEFORE = new RegExp(
  String.raw`(?<!\p{L})(?:(?:is|was|are|were|isn['’]t|wasn['’]t|it['’]s|that['’]s|,)\s+(?:${NOT_TRUE}|(?:true|correct|right|the case)(?<=n['’]t \p{L}+(?: case)?))(?: belief| idea| claim| notion)?(?: to (?:say|think|believe|claim|assume|suggest))?,? that(?!\p{L})|(?:myth|misconception|false|wrong|untrue|incorrect|rumou?r|fake|fallacy|hoax)(?: (?:belief|claim|statement|idea|news))?(?: ?#?\d{1,3})?\*{0,2} ?[:：]|(?:following|these|next)(?!\p{L})[^:：.!?]{0,60}${NOT_TRUE}[^:：.!?]{0,30}[:：]|(?:no|little|without) (?:\p{L}+ ){0,2}(?:evidence|proof|indication|sign)s? (?:\p{L}+ ){0,3}that(?!\p{L})|(?:nobody|no one|no stud(?:y|ies)|never) (?:\p{L}+ ){0,3}(?:show[ns]?|showed|prove[dns]?|found|demonstrated|confirmed) that(?!\p{L}))|(?:误区|谣言|误解|误传|传言|迷信|错误(?:的?(?:说法|观点|认识|看法))?)[一二三四五六七八九十\d]{0,2} ?[:：]|(?:以下|下列|下面)[^：:。]{0,20}(?:错误|不正确|不实|谣言|误解)[^：:。]{0,10}[:：]|谣言(?:说|称)|误以为|误认为|谣传|(?:没有|尚无|缺乏)(?:任何|充分|足够)?(?:证据|依据|根据)(?:表明|证明|显示)?`,
  'iu',
);
/** `The claim that … is false`. */
const BEHIND = new RegExp(
  String.raw`(?<!\p{L})(?:claim|idea|belief|notion|myth|statement|assertion|theory|rumou?r|story|view)s?,? that(?!\p{L}).{3,400}(?<!\p{L})(?:is|was|are|were|has been|have been)\s+${NOT_TRUE}|(?<!\p{L})(?:is|was) ${NOT_TRUE}\s*[.!]?$|(?:说法|观点|想法|看法|认识|传言)[^。，]{0,8}(?:错误|不正确|不实|谣言|不对|不成立|误解|误区|没有(?:根据|依据))|认为.{2,100}(?:是|属于)[^。，]{0,4}(?:错误|误解|误区|谣言|不对)|(?:是|属于|纯属)(?:一种|一个|典型的)?(?:谣言|误解|误区|错误的?|假的|迷信)[。！]?$`,
  'iu',
);
/** `This is a myth.` behind it, but not `It is not true that …`. */
const NEXT = new RegExp(
  String.raw`^[\s|*_>"“'‘(-]*(?:no[,.] )?(?:(?:(?:but|however|yet),? )?(?:this|that|it|the (?:claim|statement|idea|belief|story|rumou?r))(?!\p{L})(?: \p{L}+){0,4}?(?: (?:is|was|isn['’]t|wasn['’]t|has been)|['’]s)\s+(?:${NOT_TRUE}|(?:true|correct|right|the case)(?<=n['’]t \p{L}+(?: case)?))(?!,? (?:that|to)(?!\p{L}))|(?:false|wrong|untrue|incorrect|not true|(?:a )?myth)[*_]* ?(?:[.!|]|$)|(?:但|其实|然而|不过)?[，,]?(?:这|那|此|该|上述)[^。]{0,12}(?:错误|不正确|不实|谣言|不对|不成立|误解|误区|不是真的|没有根据))`,
  'iu',
);
/** `The following is false.` before it. */
const PREVIOUS = new RegExp(
  String.raw`(?<!\p{L})(?:following|next)(?!\p{L}).{0,60}${NOT_TRUE}|(?:以下|下列|下面).{0,20}(?:错误|不正确|不实|谣言|误解|误区)`,
  'iu',
);
/** So much of a sentence has to be in one that is called false. */
const SHARE = 0.8;
const LONGEST_SHOWN = 200;

export interface Disowned {
  /** The sentence of the quotes. */
  text: string;
  /** Whether what it calls false is what the sentence says; else it is what the sentence denies. */
  isSameWay: boolean;
}

/** Returns where texts only ask, or call false, what a sentence is about; undefined if one says it plainly, or the sentence does so itself. */
export function disownedIn(sentence: string, texts: string[]): Disowned | undefined {
  const matter = subjectMatter(sentence);
  if (matter.size < 2 || disownedBy({ said: sentence, before: '', next: '' }) !== undefined) return undefined;
  const similar = texts
    .flatMap(placesIn)
    .filter(({ said }) => sharedBy(matter, subjectMatter(said)) >= SHARE);
  const disowned = similar.flatMap((place) => disownedBy(place) ?? []);
  const [first] = similar;
  if (first === undefined || disowned.length < similar.length) return undefined;
  const rest = first.said.replace(BEFORE, ' ').replace(BEHIND, (found) => found.replace(NOT_TRUE_WORDS, ' '));
  const [text = ''] = disowned;
  return { text: text.trim().slice(0, LONGEST_SHOWN), isSameWay: denies(sentence) === denies(rest) };
}

/** A sentence with those next to it. */
interface Place {
  said: string;
  before: string;
  next: string;
}

function placesIn(text: string): Place[] {
  const sentences = sentencesIn(text);
  return sentences.map((said, at) => ({
    said,
    before: sentences[at - 1] ?? '',
    next: sentences[at + 1] ?? '',
  }));
}

const NOT_TRUE_WORDS = new RegExp(NOT_TRUE, 'giu');

function sharedBy(matter: Set<string>, said: Set<string>): number {
  return matter.intersection(said).size / matter.size;
}

/** The words that ask a sentence or call it false, with the sentence; undefined if none do. */
function disownedBy({ said, before, next }: Place): string | undefined {
  if (ASKED.test(said)) return next === '' ? said : undefined;
  if (BEFORE.test(said) || BEHIND.test(said.trim())) return said;
  if (NEXT.test(next)) return `${said} ${next}`;
  return PREVIOUS.test(before) ? `${before} ${said}` : undefined;
}

function denies(text: string): boolean {
  return /\p{Script=Han}/u.test(text) ? /[不没未无非]/u.test(text) : isDenied(text);
}
