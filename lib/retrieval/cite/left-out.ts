/** What a quotation with an ellipsis leaves out. */
export interface Omission {
  /** Between its pieces. */
  between: string[];
  /** What follows the last piece, as far as it is looked at. */
  after: string;
}

/** How much of what follows a quotation is looked at. */
export const AFTER_QUOTATION = 40;

/** Denials in the languages that quotations are often in. */
const DENIALS =
  /(?<!\p{L})(?:not|no(?!\.\s?\d)|nor|never|neither|none|nobody|nothing|without|cannot|hardly|barely|scarcely|rarely|nicht|kein\p{L}{0,2}|nie|niemals|ohne|ne|pas|jamais|aucune?|sans|nunca|jamás|ning[uú]n\p{L}?|sin|não|nessun\p{L}?|niet|geen|nooit)(?!\p{L})|n['’]t(?!\p{L})|[不没未无非勿否](?![仅但只同断过久论来常洲收])/iu;
/** Words that take a statement back. */
const TAKES_BACK =
  /(?<!\p{L})(?:fail(?:s|ed|ing)?|lack(?:s|ed|ing)?|den(?:y|ies|ied)|refus(?:es?|ed|ing|al)|reject(?:s|ed|ing|ion)?|declin(?:es?|ed|ing) to|opposed?|opposes|prevent(?:s|ed)?|stop(?:s|ped)?|ceased?|abandon(?:s|ed)?|cancell?ed|withdr(?:aws?|ew|awn)|retract(?:s|ed|ion)?|recalled|banned|suspended|refut(?:es?|ed)|disprove[dns]?|false(?:ly)?|myth|rumou?rs?|wrong(?:ly)?|alleged(?:ly)?|supposed(?:ly)?|reportedly|purported(?:ly)?|so-called|anything but|far from|angeblich|prétendument|supuestamente)(?!\p{L})|谣言|据称|所谓|拒绝|否认|反对|撤回|禁止|停止/iu;
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
  /(?<!\p{L})(?:he|she|they|we|you|sie|wir|ils|elles|nous|while|although|though|because|since|so that|während|obwohl|weil|tandis que|bien que|parce que|mientras|aunque|porque)(?!\p{L})|虽然|尽管|因为|所以/iu;
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

const OPENS = /^\s*[,(（，—–-]/u;
const CLOSES = /[,)），—–-]\s*$/u;
const JOINS_ON = /^[\s,，]*(?:and|und|et|y)(?!\p{L})/iu;

/**
 * Whether a quotation may leave this out. Not a denial, a condition, or anything that gives the rest another subject: a reader would
 * take the rest for what the source says. In doubt, it may not.
 */
export function mayBeLeftOut({ between, after }: Omission): boolean {
  return !CONDITION_FOLLOWS.test(after) && !between.some(turnsTheRest);
}

function turnsTheRest(text: string): boolean {
  return [DENIALS, TAKES_BACK, CONDITIONS, MAY].some((form) => form.test(text)) || hasOtherSubject(text);
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
  return NEW_SUBJECTS.some((form) => form.test(text)) && VERB.test(text);
}

/** In Chinese, what follows a comma and isn't closed by another one has its own subject. */
function hasClauseAfterComma(text: string): boolean {
  const comma = text.search(/[，；]/u);
  return comma !== -1 && /[^，；、\s]/u.test(text.slice(comma));
}
