import { holdsDenial } from '../../support/rules/denials.ts';
import { withoutDirections } from '../../support/rules/rivals.ts';
import { takesBack } from '../../support/rules/takes-back.ts';
import { cutsSomething } from './cut-ends.ts';

/** The text that a quotation omits with an ellipsis. */
export interface Omission {
  /** The quoted pieces, one more than the omissions. */
  pieces: string[];
  /** The text between the pieces. */
  between: string[];
  /** The start of the text after the last piece. */
  after: string;
}

/** The number of characters to read after a quotation: a word or two. */
export const AFTER_QUOTATION = 12;

/** Words that limit or retract a statement, in addition to those in `lib/support`. */
const TURNS =
  /(?<!\p{L})(?:zero|few|little|too|barely|scarcely|rarely|fail\p{L}*|refus\p{L}+|declin\p{L}+|oppos\p{L}+|prevent\p{L}*|stop(?:s|ped)?|ceased?|abandon\p{L}*|cancell?ed|withdr\p{L}+|recalled|banned|suspended|suppos\p{L}+|reportedly|purported\p{L}*|so-called|anything but|far from|angeblich|prétendument|supuestamente|invent(?:ed|ions?)|accus\p{L}+|suspect\p{L}*|innocent|acquitted|insufficient(?:ly)?|attempt\p{L}*|try|tries|tried|trying|wants?|wanted|hop(?:es?|ed)|dream\p{L}*|plan(?:s|ned)?|tends?|seems?|appears?|considered|deemed|regarded|if|only|except\p{L}*|excluding|provided|whether|when|whenever|till|in case|as long as|at (?:most|least|best)|up to|in no|to no|less|fewer|nearly|almost|might|could|would|should|perhaps|possibly|probably|maybe|likely|expected|intended|wenn|falls|sofern|nur|außer|ob|bis|vielleicht|könnte[nt]?|fast|seulement|sauf|sinon|presque|peut-être|sólo|solo|solamente|salvo|quizás?|tal vez|casi|puede[n]?)(?!\p{L})|(?<![\p{N}.,])0(?![\p{N}.,])|误(?!差)|据称|所谓|拒绝|反对|撤回|禁止|停止|如果|只有|只要|除非|除了|(?<!不)仅|当(?=[^，。]{1,12}时)|可能|也许|或许|几乎|不足|至多|至少|预计|计划|的说法/iu;
/** The verb `may`, not the month. */
const MAY = /(?<!\p{L})may(?!\p{L})/u;
/** Matches `said that the mayor` and `says the mayor`: the next words are attributed to someone. */
const REPORTS =
  /(?<!\p{L})(?:sa(?:id|ys?)|told|tells|believe[ds]?|thinks?|thought|claim(?:s|ed)?|argue[ds]?|report(?:s|ed)?|announce[ds]?|knows?|knew|finds?|found|shows?|showed|shown|suggest(?:s|ed)?|asks?|asked|watch(?:es|ed)|saw|sees|heard|hears)(?!\p{L})|表示|认为|宣布|(?<![名简俗统职])称|(?<![小学])说/iu;

/**
 * Matches a mark or word that starts another clause. A relative clause right after the quoted words is about
 * them.
 */
const CLAUSE =
  /[,;，；。](?=\s*[^\s,，])|(?<!\p{L})(?:but|whereas|yet|he|she|it|they|we|you|while|although|though|because|since|so that|sondern|aber|sie|wir|während|obwohl|weil|mais|ils|elles|nous|bien que|parce que|pero|sino|mas|mientras|aunque|porque)(?!\p{L})|\S\s+(?:who|whom|whose|which|that|where|why|dass|qui|que)(?!\p{L})|[但而却则]|虽然|尽管|因为|所以/u;
const NEXT_SENTENCE = /[.!?]["'”’)\]]*\s+["'“‘(]?\p{Lu}/u;
const JOINED = /(?<!\p{L})(?:and|or|as|und|oder|et|ou|y|o)\s+\S/iu;
const VERB =
  /(?<!\p{L})(?:is|are|was|were|be|been|has|have|had|does|did|do|will|can|\p{L}{2,}ed|\p{L}{2,}s (?:it|them|him|the|an?))(?!\p{L})/iu;
/**
 * Matches text after which the quotation continues the same verb or word: `to have been`, `un-`, `'s
 * brother`.
 */
const PART_OF_VERB_OR_WORD =
  /^['’-]\p{L}|-$|(?:(?<!\p{L})(?:to|be|been|being|has|have|had|having|worden|été|être|ser)|被)\s*$/iu;
/** For example, `was` before `murdered`. */
const ENDS_IN_PASSIVE = /(?<!\p{L})(?:is|are|was|were|gets?|got|wird|wurden?|est|sont|fue)\s*$/iu;
const BEGINS_IN_PARTICIPLE = /^\p{L}+(?:ed|en|wn|ght|é|ad[oa])(?!\p{L})/iu;
/** Text in parentheses, between commas, or between dashes, in folded spelling. */
const ENCLOSED = /[（(][^()（）]*[)）]|[,，][^,，]*[,，]|\s-\s[^-]*\s-\s/gu;

const NUMBER =
  /\p{N}|(?<!\p{L})(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million|billion|half|dozen|zwei|drei|vier|fünf|deux|trois|quatre|cinq|dos|tres|cuatro|cinco)(?!\p{L})|[一二两三四五六七八九十百千万亿]/iu;
const JOINS = /[,，;；、–—-]|(?<!\p{L})(?:and|or|to|und|oder|bis|et|ou|y|o)(?!\p{L})|[和与及至到或]/iu;
const SCALE_FOLLOWS =
  /^[\s-]*(?:million|billion|trillion|thousand|hundred|dozen|per ?cent|percentage|points?|times|fold|to|or|and|million\p{L}*|milliard\p{L}*|mille|mil|tausend|prozent|%|‰|[–—×/*^+-]|[万亿千百倍成多余]|个百分点)/iu;
const LIMIT_BEFORE =
  /(?:(?<!\p{L})(?:times|than|beyond|about|around|roughly|approximately|circa|some|past|to|and|or|minus|twice|(?:half|third|quarter|percent|per cent|%) of|unter|über|etwa|rund|environ|plus de|moins de|más de|menos de|unos)|[-−~≈<>≤≥±]|低于|高于|大于|小于|不到|约|近|至|到|多于|少于)\s*$/iu;

/**
 * Returns whether a quotation may omit this text. It may not omit a negation, a condition, or anything that
 * changes the subject of the rest, because readers would believe that the source states the rest. In doubt,
 * returns false.
 */
export function mayBeLeftOut({ pieces, between, after }: Omission): boolean {
  if (turns(after)) return false;
  return !between.some((text, at) => {
    const [before, next] = [pieces[at] ?? '', pieces[at + 1] ?? ''];
    const place = { start: before.length, end: before.length + text.length };
    const isCut = cutsSomething(before + text + next, place) || PART_OF_VERB_OR_WORD.test(text);
    const isPassive = ENDS_IN_PASSIVE.test(text) && BEGINS_IN_PARTICIPLE.test(next);
    const isTurned = turns(text) || changesNumber(before, text, next);
    return isCut || isPassive || isTurned || hasOtherSubject(text, next);
  });
}

function turns(text: string): boolean {
  const isKnown = holdsDenial(text) || takesBack(text) || withoutDirections(text) !== text;
  return isKnown || TURNS.test(text) || MAY.test(text);
}

/**
 * Returns whether words that only one of two sentences has may change its meaning: a negation, a condition,
 * or the name of a reporter.
 */
export function mayTurn(words: string): boolean {
  return turns(words) || REPORTS.test(words);
}

/** The quoted words may be about a number that is omitted, or depend on its unit or a limit. */
function changesNumber(before: string, text: string, next: string): boolean {
  if (/[\d一二两三四五六七八九十]$/u.test(before) && SCALE_FOLLOWS.test(text)) return true;
  if (/^[$€£¥]?\d/u.test(next) && LIMIT_BEFORE.test(text)) return true;
  const rest = text.replace(ENCLOSED, ' ');
  return NUMBER.test(rest) && JOINS.test(rest) && (NUMBER.test(next) || NUMBER.test(before));
}

function hasOtherSubject(text: string, next: string): boolean {
  const rest = text.replace(ENCLOSED, ' ');
  const hasClause = CLAUSE.test(rest) || NEXT_SENTENCE.test(text + next.slice(0, 2));
  return hasClause || REPORTS.test(rest) || (JOINED.test(rest) && VERB.test(rest));
}
