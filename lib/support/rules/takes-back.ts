/** The words before and after a quote in its source. */
export interface WordsAround {
  before: string;
  after: string;
  /**
   * A longer text around the quote, for a judge. Absent for a row of a table, whose header is in `before`.
   */
  passage?: string;
}

/** Matches words near a sentence that may retract it. */
const TAKES_BACK =
  /(?<!\p{L})(?:myths?|mistakes?|mistaken(?:ly)?|misconceptions?|misbeliefs?|misunderst\p{L}+|misinform\p{L}+|superstitions?|hoax(?:es)?|rumou?rs?|fictions?|fictional|satir\p{L}+|false(?:ly|hoods?)?|untrue|incorrect(?:ly)?|wrong(?:ly)?|fake[ds]?|fabricat\p{L}+|debunk\p{L}*|refut\p{L}+|retract\p{L}+|disprov\p{L}+|rebut\p{L}*|reject(?:s|ed|ing)?|den(?:y|ies|ied|ying)|disput\p{L}+|doubt\p{L}*|alleg\p{L}+|erroneous(?:ly)?|contrary to|no longer|imagine|suppose|unproven|unfounded|unsubstantiated|obsolete|outdated|superseded|nonsense|bunk|rubbish|bogus|hogwash|balderdash|wives['’] tales?|folklore|legend has it|jok(?:es?|ing)|kidding|parody|in reality|on the contrary|quite the (?:opposite|reverse)|the (?:very |exact )?opposite (?:is|was)|lies?|not (?:the case|true|correct|right|valid|so(?=\s*[.,;:!?]))|(?:nobody|no one|hardly anyone) (?:\p{L}+ )?(?:believe[sd]?|thinks?|thought|claim(?:s|ed)?|sa(?:ys|id)|accept(?:s|ed)?)|(?:once|formerly|long|widely) (?:believed|thought|claimed|assumed))(?!\p{L})|n['’]t (?:the case|true|correct|right|so(?=\s*[.,;:!?]))(?!\p{L})|不实|谣言|辟谣|谣传|误解|误区|误传|误认|错误|虚假|并非|不对|假如|迷信|撤稿|否认|驳斥|质疑|不再|过时|没有人(?:相信|认为)|没有(?:任何)?(?:根据|依据|证据)|不(?:是真|真实|成立|正确|准确|属实|符合事实)|毫无|未(?:被|经|得到)?证实|无(?:根据|依据|稽)/iu;
/**
 * Matches such words within the sentence. The previous sentence often says what was studied, and the quote
 * what was found.
 */
const LEAVES_OPEN = /(?<!\p{L})(?:hypothes[ei]s|hypothetical\p{L}*|assum\p{L}+|whether)(?!\p{L})|假设|是否/iu;
const SENTENCE_END = /[.!?]["'”’)]?\s|[。！？]["'”’」』）]?/u;
/** Matches an answer after a question, as in `Is it true? Owls are blind. No.` */
export const ANSWERS_NO =
  /^[\s"”’)\]*_~|]*(?:no|nope|not (?:so|true|really)|不(?:是|对|能|会|行|可以)?)\s*(?:[.!:;,。！，]|$)/iu;
const STRUCK = /~~\s*$/u;

/** Returns whether the words around a quote say that it may be untrue. A judge may overlook them. */
export function isTakenBack({ before, after }: WordsAround): boolean {
  const own = `${before} `.split(SENTENCE_END).at(-1) ?? '';
  return (
    TAKES_BACK.test(`${before} ‡ ${after}`) ||
    LEAVES_OPEN.test(own) ||
    ANSWERS_NO.test(after) ||
    STRUCK.test(before)
  );
}

const DENIES =
  /(?<!\p{L})(?:not?|never|none|nobody|nothing|neither|without|lacks?|hardly|cannot|\p{L}+n['’]t)(?!\p{L})/iu;
const NOT_TRUE =
  /(?<!\p{L})(?:not?|never|none|nothing|neither|hardly|cannot|\p{L}+n['’]t)\s(?:\p{L}+\s){0,3}(?:true|truth|correct|right|accurate|valid|real|the case|so\s*$)(?!\p{L})/iu;
const PROOF =
  /(?<!\p{L})(?:proofs?|prove[ns]?|show[ns]?|showed|evidence|confirm\p{L}*|support\p{L}*|replicat\p{L}*|reproduc\p{L}*|stud(?:y|ies)|basis|holds?)(?!\p{L})/iu;
const POINTS = /(?<!\p{L})(?:this|these|those|it|them|following|such|any of)(?!\p{L})/iu;
const SENTENCE = /[^.!?。！？\n]+/gu;

/** Returns whether a text near or above a sentence may retract the sentence. Without a judge, any doubt counts. */
export function takesBack(text: string): boolean {
  return TAKES_BACK.test(text) || LEAVES_OPEN.test(text) || (text.match(SENTENCE) ?? []).some(deniesTruth);
}

/**
 * Returns whether a sentence denies that something is true, as in `The following is not true` or `No study
 * shows this`.
 */
function deniesTruth(sentence: string): boolean {
  return NOT_TRUE.test(sentence) || (DENIES.test(sentence) && PROOF.test(sentence) && POINTS.test(sentence));
}

/** The maximum distance at which such words are looked for, in characters. */
const BEFORE = 400;
const AFTER = 250;
/** Matches words that retract a sentence right after it, as in `Not!` or `But only in mice.` */
const AT_ONCE =
  /^[\s.。"”’)\]]*(?:(?:but |and |or )?(?:not|except|unless|or so|only (?:in|for|if|when|at|on|with|by|among))(?!\p{L})|(?:no|never|hardly)\s*[.!,…])/iu;

/**
 * Returns whether anything around a stretch of text may retract it, or show that it isn't meant seriously.
 * Stricter than `isTakenBack()`.
 */
export function isTakenBackIn(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - BEFORE), start);
  const after = text.slice(end, end + AFTER);
  return (
    AT_ONCE.test(after) ||
    isTakenBack({ before, after }) ||
    takesBack(before) ||
    takesBack(after) ||
    isMarked(text, start, end) ||
    isIntroduced(text, start)
  );
}

/**
 * Matches struck-out text, a comment, or a message that a letter answers, in the paragraph or opened before
 * it.
 */
const EMPTY_LINE = /\n\s*\n/g;
const MARKS = /~~|<\/?\p{L}|<!--|^[ \t]*>/mu;

function isMarked(text: string, start: number, end: number): boolean {
  const from = [...text.slice(0, start).matchAll(EMPTY_LINE)].at(-1)?.index ?? 0;
  const next = text.slice(end).search(EMPTY_LINE);
  const paragraph = text.slice(from, next === -1 ? undefined : end + next);
  return MARKS.test(paragraph) || text.lastIndexOf('<!--', start) > text.lastIndexOf('-->', start);
}

const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/u;
const MAX_ITEMS = 200;

/** Returns whether a list starts with `These are wrong:`, or another line that may negate its items. */
function isIntroduced(text: string, start: number): boolean {
  const lines = text.slice(0, start).split('\n');
  const own = lines.pop() ?? '';
  const above = lines.toReversed().slice(0, MAX_ITEMS);
  const isItem = ITEM.test(`${own}${text.slice(start, start + 10)}`);
  const intro = above.find(
    (line) => line.trim() !== '' && !(isItem && (ITEM.test(line) || /^\s/.test(line))),
  );
  if (intro === undefined || (!isItem && own.trim() !== '')) return false;
  return /[:：]\s*[*_]*$/u.test(intro.trimEnd()) || (isItem && takesBack(intro));
}
