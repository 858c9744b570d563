import { sentencesIn } from './same-words.ts';
import { SAID } from './stance.ts';

/** What is next to a sentence in its text. */
interface Surroundings {
  before: string;
  after: string;
  /** Whether the text has more before. */
  isCut: boolean;
}

/** Announces a sentence: whatever else it says of it, the sentence may be mentioned, and not said. */
const POINTS_ON =
  /(?<!\p{L})(?:as follows|(?:the|what) follow(?:ing|s)|thus(?=\s*[.:!]|\s*$)|(?:this|next|these) (?:sentences?|statements?|claims?|texts?|paragraphs?|examples?|lines?))(?!\p{L})|如下|以下|下列|下面|下述|(?:这|此)(?:句|段)话/iu;
/** Status, fiction, exercises: the sentence next to them isn't in force, or isn't meant. */
const SETS_ASIDE =
  /(?<!\p{L})(?:withdr(?:aw|ew)\p{L}*|repeal\p{L}*|revok\p{L}+|rescind\p{L}*|annul\p{L}*|overturn\p{L}*|overrul\p{L}+|invalidat\p{L}+|discredit\p{L}*|supplanted|lapsed|not (?:yet )?(?:adopted|approved|enacted|ratified|in force|final|verified|confirmed|audited|reviewed)|unconfirmed|unverified|unaudited|preliminary|provisional|tentative|to be (?:verified|confirmed|checked|decided|determined|done)|TB[CD]|out of date|out-of-date|errat(?:um|a)|corrigend(?:um|a)|corrections?(?=\s*[:(])|corrected|editor['’]s note|proposals?|proposed|novel|fairy ?tales?|fables?|film|movie|screenplay|science fiction|video ?games?|in the game|drea(?:m|ms|mt|med)|pretend\p{L}*|make-believe|thought experiment|April fools?|prank|spoof|find the (?:error|mistake)s?|(?:do not|don['’]t|never) (?:write|say|do this)|bad (?:style|example|practice)s?|sample (?:sentence|text)s?|placeholders?|lorem ipsum|exercises?|quiz|multiple[- ]choice|(?:popular|common) errors?|open questions?|disagree\p{L}*|dissent\p{L}*|dismiss(?:es|ed)?|(?:have|has|had|got) it backwards|I (?:think|guess|suppose)|estimates? only|s[ck]eptical|not (?:sure|certain)|citation needed|exceptions?|(?:since|later|been) (?:revised|replaced|pulled|removed)|archived|old (?:rules?|versions?|texts?)|(?:considered|rejected) (?:options?|alternatives?)|once upon a time|parable|translate)(?!\p{L})|相反|推翻|废止|废除|作废|失效|撤[回销]|待(?:核实|证实|确认|定)|尚?未(?:核实|定稿|通过|审计)|网传|据[传说称]|传闻|小说|童话|寓言|剧本|节选|梦|愚人节|语病|病句|改正|判断题|例句|练习|更正|勘误|[只仅](?:适用|限)|提案|草案|征求意见|怀疑|例外|修[正订]|玩笑|从前有|旧(?:规定|版)|[不未]确定|假定|判断正误/iu;
/** A fragment that doubts what it is next to. */
const DOUBTS =
  /(?<!\p{L})(?:perhaps|maybe|possibly|presumably|supposedly|purportedly|apparently|reportedly|(?:may|might|could) (?:well )?be|unlikely|far|contrary|opposite|reverse|legends?|confirm\p{L}*|verif\p{L}*|proofs?|unclear|open)(?!\p{L})|也许|可能|或许|恐怕|未必|存疑/iu;
const FRAGMENT = { words: 5, han: 8 };
/** A word for a sentence next to it. */
const POINTS = /(?<!\p{L})(?:this|these|that is what)(?!\p{L})|[这此该]|上述/iu;
/** A sentence before that says on what the next one depends: `In the event of war, this applies.` */
const DEPENDS =
  /(?<!\p{L})(?:if|unless|provided|assuming|in the (?:event|case) of|in (?:an?|the) \p{L}+ world)(?!\p{L})[^.!?]{0,200}(?<!\p{L})(?:(?:this|it|these) (?:\p{L}+ )?(?:appl(?:y|ies)|holds?|follows?|is so|is true)|this)[.:]?\s*$|(?:如果|假如|若|倘)[^。！？]{0,60}(?:如此|结论|成立|适用)/iu;
/** A sentence behind that limits the one before it, or tells what has changed: `However, this holds in captivity.` */
const LIMITS =
  /^["“(*_]*(?:(?:but|however|yet|actually|though|although|nevertheless|nonetheless|rather|except|later|since then|(?:since|from|until) \d{4}|nowadays)(?!\p{L})[^.!?]{0,30}?(?<!\p{L})(?:this|these|those|it|they|he|she|only|except)|(?:this|that|it|these|those|they|the (?:statement|claim|finding|figure|number|result|rule|value)s?)\s[^.!?]{0,40}?(?:(?:was|were|used to be) (?:true|so|the case|valid|correct|right)|(?:until|till|only)))(?!\p{L})|^(?:但|不过|然而|其实|后来|如今|现在)[^。！？]{0,15}[这此该其它他她只仅]/iu;
/** A sentence behind that says something of what was said: `This is our guess.` */
const POINTS_BACK =
  /^["“(*_]*(?:this|that|these|those|it|so) (?:is|was|are|were|has|had|have|does|did|holds?|appl(?:y|ies)|remains?|needs?|would|may|might|could|should|sa(?:ys|id)|seems|appears)(?!\p{L})/iu;
/** The whole of a document is set aside by a word of itself. */
const OF_DOCUMENT =
  /(?<!\p{L})this (?:page|section|document|article|chapter|version|guide|paper|report|study|draft)(?!\p{L})[^.!?\n]{0,60}(?<!\p{L})(?:withdrawn|retracted|repealed|out of date|outdated|obsolete|superseded|archived|no longer|deprecated|fiction\p{L}*|satir\p{L}+|before the)(?!\p{L})|(?:本|此|该)(?:页|文|版|文档|文章|章|节|条)[^。！？\n]{0,20}(?:废止|作废|失效|过时|撤稿|虚构)/iu;
/** How far a sentence next to another is looked at, and what is looked at of a heading. */
const REACH = 1000;
const HEADING = /^(?<level>#{1,6})[ \t](?<title>.+)$/gmu;
const FENCE = /^[ \t]{0,3}(?:`{3,}|~{3,})[ \t]*(?<language>\S?)/gmu;

/**
 * Whether what is next to a sentence may set it aside: announces it, doubts it, limits it, or puts it into a story, an exercise, or a
 * text that isn't in force. Only for what code alone supports; a judge reads the words around.
 */
export function isSetAside({ before, after, isCut }: Surroundings): boolean {
  const previous = (sentencesIn(before.slice(-REACH)).at(-1) ?? '').trim();
  const next = sentencesIn(after.slice(0, REACH).trimStart())[0]?.trim() ?? '';
  const own = headingsAbove(before);
  return (
    [previous, next].some(doubts) ||
    POINTS_ON.test(previous) ||
    DEPENDS.test(previous) ||
    LIMITS.test(next) ||
    POINTS_BACK.test(next) ||
    isAskedAt(next) ||
    own.some(setsAside) ||
    OF_DOCUMENT.test(before) ||
    isInFence(before, isCut)
  );
}

/** Whether a heading, or a sentence next to another, says that what belongs to it isn't so, or isn't meant. */
export function setsAside(text: string): boolean {
  return SETS_ASIDE.test(text.slice(0, REACH));
}

function doubts(next: string): boolean {
  return setsAside(next) || (SAID.test(next) && POINTS.test(next)) || (isFragment(next) && DOUBTS.test(next));
}

function isFragment(text: string): boolean {
  const words = text.match(/[\p{L}\p{M}\p{N}'’]+/gu) ?? [];
  return /\p{Script=Han}/u.test(text) ? text.length <= FRAGMENT.han : words.length <= FRAGMENT.words;
}

/** Whether a block of code has begun. In a text that begins anywhere, only a fence with a language tells. */
function isInFence(before: string, isCut: boolean): boolean {
  const fences = [...before.matchAll(FENCE)];
  return isCut ? Boolean(fences.at(-1)?.groups?.language) : fences.length % 2 === 1;
}

/** `Or do they?` */
function isAskedAt(next: string): boolean {
  return isFragment(next) && /[?？]["'”’)]?$/u.test(next);
}

/** The headings of Markdown that a place is below, each of a higher level than the one after it. */
function headingsAbove(before: string): string[] {
  let level = 7;
  return [...before.matchAll(HEADING)].toReversed().flatMap(({ groups = {} }) => {
    if ((groups.level ?? '').length >= level) return [];
    level = (groups.level ?? '').length;
    return [groups.title ?? ''];
  });
}
