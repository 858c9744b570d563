import { withoutDirections } from '../../support/rules/rivals.ts';

/** What a quotation with an ellipsis leaves out. */
export interface Omission {
  /** What is quoted, one more than what is left out. */
  pieces: string[];
  /** Between its pieces. */
  between: string[];
  /** What follows the last piece, as far as it is looked at. */
  after: string;
}

/** How much of what follows a quotation is looked at. */
export const AFTER_QUOTATION = 40;

/** Denials in the languages that quotations are often in. */
const DENIALS =
  /(?<!\p{L})(?:not|no(?!\.\s?\d)|zero|few|little|too|nor|never|neither|none|nobody|nothing|without|cannot|hardly|barely|scarcely|rarely|nicht|kein\p{L}{0,2}|nie|niemals|ohne|ne|pas|jamais|aucune?|sans|nunca|jamás|ning[uú]n\p{L}?|sin|não|nessun\p{L}?|niet|geen|nooit)(?!\p{L})|n['’]t(?!\p{L})|(?<![\p{N}.,])0(?![\p{N}.,])|[不没未无非勿否](?![仅但只同断过久论来常洲收])/iu;
/** Words that take a statement back. */
const TAKES_BACK =
  /(?<!\p{L})(?:fail(?:s|ed|ing)?|lack(?:s|ed|ing)?|den(?:y|ies|ied)|refus(?:es?|ed|ing|al)|reject(?:s|ed|ing|ion)?|declin(?:es?|ed|ing) to|opposed?|opposes|prevent(?:s|ed)?|stop(?:s|ped)?|ceased?|abandon(?:s|ed)?|cancell?ed|withdr(?:aws?|ew|awn)|retract(?:s|ed|ion)?|recalled|banned|suspended|refut(?:es?|ed)|disprove[dns]?|false(?:ly)?|myth|rumou?rs?|wrong(?:ly)?|alleged(?:ly)?|supposed(?:ly)?|reportedly|purported(?:ly)?|so-called|anything but|far from|angeblich|prétendument|supuestamente|invent(?:ed|ions?)|fabricat\p{L}+|fictions?|fictional|hoax|lies?|fake[ds]?|accus\p{L}+|suspect\p{L}*|innocent|acquitted|insufficient(?:ly)?|barely|attempt\p{L}*|(?:try|tries|tried|trying|wants?|wanted|hopes?|dream\p{L}*|plans?|tends?|seems?|appears?|considered|deemed|regarded))(?!\p{L})|误(?!差)|谣言|据称|所谓|拒绝|否认|反对|撤回|禁止|停止/iu;
/** Conditions, limits, and what may be. */
const CONDITIONS =
  /(?<!\p{L})(?:if|unless|only|except(?:ing)?|excluding|provided|whether|when|whenever|until|till|in case|as long as|less|fewer|at (?:most|least|best)|up to|nearly|almost|might|could|would|should|perhaps|possibly|probably|maybe|likely|expected|planned|hoped|intended|wenn|falls|sofern|nur|außer|ob|bis|vielleicht|könnte[nt]?|fast|seulement|sauf|sinon|presque|peut-être|sólo|solo|solamente|salvo|excepto|quizás?|tal vez|casi|puede[n]?)(?!\p{L})|如果|只有|只要|除非|除了|(?<!不)仅|当(?=[^，。]{1,12}时)|是否|可能|也许|或许|几乎|不足|至多|至少|预计|计划/iu;
/** Not the month. */
const MAY = /(?<!\p{L})may(?!\p{L})/u;
const CONDITION_FOLLOWS =
  /^[\s,，]*(?:(?:but )?(?:only|not|never|if|unless|except|provided|until|when|as long as|in no|for no|to no|nur|wenn|außer|falls|seulement|sauf|si|sólo|solo|salvo|excepto)(?!\p{L})|如果|只有|只要|除非|除了|仅|的说法|是谣言)/iu;

/** Other clauses begin so, wherever they are in what is left out. */
const CLAUSE =
  /[;；。]|(?<!\p{L})(?:but|whereas|yet|sondern|aber|mais|pero|sino|mas)(?!\p{L})|[，,]\s?(?:但|而|却|则|然而|不过)/iu;
const CLAUSE_NOT_ENCLOSED =
  /(?<!\p{L})(?:he|she|it|they|we|you|sie|wir|ils|elles|nous|while|although|though|because|since|so that|während|obwohl|weil|tandis que|bien que|parce que|mientras|aunque|porque)(?!\p{L})|虽然|尽管|因为|所以/iu;
/** `said that the mayor`, `says the mayor`: what follows is theirs. */
const REPORTS =
  /(?<!\p{L})(?:sa(?:id|ys?)|told|tells|believe[ds]?|thinks?|thought|claim(?:s|ed)?|argue[ds]?|report(?:s|ed)?|announce[ds]?|knows?|knew|finds?|found|shows?|showed|shown|suggest(?:s|ed)?|asks?|asked|watch(?:es|ed)|saw|sees|heard|hears)(?!\p{L})|表示|认为|宣布|(?<![名简俗统职])称|(?<![小学])说/iu;
const ARTICLES =
  "(?:the|an?|his|her|its|their|this|these|those|der|die|das|eine?|le|la|les|une?|el|los|las)(?![\\p{L}'’])";
const JOINED = '(?:,|(?<!\\p{L})(?:and|or|as|und|oder|et|ou|y|o))\\s+';
/** A new subject after what says that the first one did something. */
const NEW_SUBJECTS = [new RegExp(JOINED + ARTICLES, 'iu'), new RegExp(`${JOINED}\\p{Lu}`, 'u')];
/** At the beginning, it's a relative clause of the first subject. */
const THAT_SUBJECT = new RegExp(`\\S\\s+(?:that|dass|que|how|why)\\s+${ARTICLES}`, 'iu');
const ENDS_RELATIVE = /(?<!\p{L})(?:who|whom|whose|which|that|where|dass|qui|que)\s*$/iu;
const VERB =
  /(?<!\p{L})(?:is|are|was|were|be|been|has|have|had|does|did|do|will|can|\p{L}{2,}ed|\p{L}{2,}s (?:it|them|him|the|an?))(?!\p{L})/iu;

/** `eat mice and worms`, before another verb; what begins as below says more of the first subject. */
const ENDS_IN_NOUN =
  /(?:[,;]|(?<!\p{L})(?:and|or|und|oder|et|ou|y|o)(?!\p{L}))\s+(?!(?:and|or|und|oder|et|ou|y|o)(?!\p{L}))\p{L}+(?:\s\p{L}+){0,2}\s*$/iu;
const GOES_ON =
  /^[\s,(]*(?:and|or|of|in|on|at|by|for|from|with|without|to|under|over|near|about|between|among|as|that|which|who|whose|such|like|including|also|[\p{L}-]+(?:ed|ing|ly)|von|in|im|am|aus|mit|für|bei|der|die|das|und|oder|sowie|de|du|des|dans|sur|avec|pour|qui|que|et|ou|del|en|con|por|para|y|o)(?!\p{L})/iu;

const OPENS = /^\s*[,(（，—–-]/u;
const CLOSES = /[,)），—–-]\s*$/u;
const JOINS_ON = /^[\s,，]*(?:and|und|et|y)(?!\p{L})/iu;

/**
 * Whether a quotation may leave this out. Not a denial, a condition, or anything that gives the rest another subject: a reader would
 * take the rest for what the source says. In doubt, it may not.
 */
export function mayBeLeftOut({ pieces, between, after }: Omission): boolean {
  if (CONDITION_FOLLOWS.test(after)) return false;
  return !between.some((text, at) => {
    const gap = { before: pieces[at] ?? '', text, next: pieces[at + 1] ?? '' };
    return turnsTheRest(text) || cutsWord(gap) || changesNumber(gap) || changesRelation(gap);
  });
}

/** What is left out, with what is quoted on both sides of it. */
interface Gap {
  before: string;
  text: string;
  next: string;
}

const ENDS_IN_WORD = /(?!\p{Script=Han})[\p{L}\p{M}\p{N}]$/u;
const BEGINS_IN_WORD = /^(?!\p{Script=Han})[\p{L}\p{M}\p{N}]/u;
const ENDS_IN_NUMBER = /\d[.,:/]?$/u;
const BEGINS_IN_NUMBER = /^[.,:/]?\d/u;

/** `5 mg` of `2.5 mg`, and `safe` of `unsafe`. */
function cutsWord({ before, text, next }: Gap): boolean {
  const edges = [
    [before, text],
    [text, next],
  ] as const;
  return edges.some(
    ([left, right]) =>
      /^['’]\p{L}|^-\p{L}/u.test(right) ||
      (/-$/.test(left) && BEGINS_IN_WORD.test(right)) ||
      (ENDS_IN_WORD.test(left) && BEGINS_IN_WORD.test(right)) ||
      (ENDS_IN_NUMBER.test(left) && BEGINS_IN_NUMBER.test(right)),
  );
}

const NUMBER =
  /\p{N}|(?<!\p{L})(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million|billion|half|dozen|zwei|drei|vier|fünf|deux|trois|quatre|cinq|dos|tres|cuatro|cinco)(?!\p{L})|[一二两三四五六七八九十百千万亿]/iu;
const JOINS = /[,，;；、–—-]|(?<!\p{L})(?:and|or|to|und|oder|bis|et|ou|y|o)(?!\p{L})|[和与及至到或]/iu;
const SCALE_FOLLOWS =
  /^[\s-]*(?:million|billion|trillion|thousand|hundred|dozen|per ?cent|percentage|points?|times|fold|to|or|and|million\p{L}*|milliard\p{L}*|mille|mil|tausend|prozent|%|‰|[–—×/*^+-]|[万亿千百倍成多余]|个百分点)/iu;
const LIMIT_BEFORE =
  /(?:(?<!\p{L})(?:times|than|under|over|above|below|beyond|exceed(?:s|ed)?|about|around|roughly|approximately|circa|some|past|to|and|or|minus|twice|(?:half|third|quarter|percent|per cent|%) of|unter|über|etwa|rund|environ|plus de|moins de|más de|menos de|unos)|[-−~≈<>≤≥±]|低于|高于|超过|大于|小于|不到|约|近|至|到|多于|少于)\s*$/iu;
const SIGNED = /^[$€£¥]?\d/u;

/** Another number that is left out may be the one that the quoted words are about; so may its unit, or what limits it. */
function changesNumber({ before, text, next }: Gap): boolean {
  if (/[\d一二两三四五六七八九十]$/u.test(before) && SCALE_FOLLOWS.test(text)) return true;
  if (SIGNED.test(next) && LIMIT_BEFORE.test(text)) return true;
  const bare = withoutEnclosed(text);
  return NUMBER.test(bare) && JOINS.test(bare) && (NUMBER.test(next) || NUMBER.test(before));
}

function withoutEnclosed(text: string): string {
  return text.replace(BRACKETS, ' ').replace(/[,，][^,，]*[,，]/gu, ' ');
}

/** What it leaves out may make the next verb one that happens to the subject, or that isn't so yet. */
const ENDS_IN_PASSIVE =
  /(?<!\p{L})(?:is|are|was|were|been|being|gets?|got|wird|wurden?|worden|est|sont|été|fue(?:ron)?|sido)\s*$/iu;
const BEGINS_IN_PARTICIPLE =
  /^\s*(?:\p{L}+ly\s)?\p{L}+(?:ed|en|wn|ld|nd|lt|pt|ft|ght|st|it|et|ut|ot|ung|ade|one|ome|uck|é|ée?s|ad[oa]s?|id[oa]s?)(?!\p{L})/iu;
const ENDS_IN_AUXILIARY = /(?<!\p{L})(?:be|has|have|had|having|to|être|ser)\s*$|被$/iu;
const ENDS_IN_BE =
  /(?<!\p{L})(?:is|are|was|were|be|been|being|ist|sind|war|waren|est|sont|était|es|son|era)\s*$|[是为]$/iu;
const ENDS_IN_PREPOSITION =
  /(?<!\p{L})(?:of|to|from|than|by|against|like|unlike|for|with|in|von|für|gegen|de|du|des|pour|contre|para|contra)\s*$|的$/iu;

/** `Acme is … Beta` of `Acme is a rival of Beta`, `Smith … murdered` of `Smith was murdered`; and a rise for a fall. */
function changesRelation({ before, text, next }: Gap): boolean {
  if (withoutDirections(text) !== text || ENDS_IN_AUXILIARY.test(text)) return true;
  if (ENDS_IN_PASSIVE.test(text) && BEGINS_IN_PARTICIPLE.test(next)) return true;
  return ENDS_IN_BE.test(before) && ENDS_IN_PREPOSITION.test(text) && next !== '';
}

function turnsTheRest(text: string): boolean {
  return turns(text) || hasOtherSubject(text);
}

function turns(text: string): boolean {
  return [DENIALS, TAKES_BACK, CONDITIONS, MAY].some((form) => form.test(text));
}

export function denies(text: string): boolean {
  return DENIALS.test(text);
}

/** Whether words that only one of two sentences has may change what it says: a denial, a condition, or the name of a reporter. */
export function mayTurn(words: string): boolean {
  return turns(words) || REPORTS.test(words);
}

const BRACKETS = /[（(][^()（）]*[)）]/gu;

function hasOtherSubject(leftOut: string): boolean {
  const text = leftOut.replace(BRACKETS, ' ');
  const isEnclosed = OPENS.test(text) && CLOSES.test(text) && !JOINS_ON.test(text);
  if (CLAUSE.test(text)) return true;
  if (isEnclosed) return false;
  if (/\p{Script=Han}/u.test(text)) return hasClauseAfterComma(text) || REPORTS.test(text);
  if ([CLAUSE_NOT_ENCLOSED, REPORTS, ENDS_RELATIVE, THAT_SUBJECT].some((form) => form.test(text)))
    return true;
  if (NEW_SUBJECTS.some((form) => form.test(text)) && VERB.test(text)) return true;
  return ENDS_IN_NOUN.test(text) && (VERB.test(text) || !GOES_ON.test(text));
}

/** In Chinese, what follows a comma and isn't closed by another one has its own subject. */
function hasClauseAfterComma(text: string): boolean {
  const comma = text.search(/[，；]/u);
  return comma !== -1 && /[^，；、\s]/u.test(text.slice(comma));
}
