/** The words before and after a quote in its source. */
export interface WordsAround {
  before: string;
  after: string;
}

/** Near a sentence, these may say that it isn't so. */
const TAKES_BACK =
  /(?<!\p{L})(?:myths?|mistakes?|mistaken(?:ly)?|misconceptions?|misbeliefs?|misunderst\p{L}+|misinform\p{L}+|superstitions?|hoax(?:es)?|rumou?rs?|fictions?|fictional|satir\p{L}+|false(?:ly|hoods?)?|untrue|incorrect(?:ly)?|wrong(?:ly)?|fake[ds]?|fabricat\p{L}+|debunk\p{L}*|refut\p{L}+|retract\p{L}+|disprov\p{L}+|rebut\p{L}*|reject(?:s|ed|ing)?|den(?:y|ies|ied|ying)|disput\p{L}+|doubt\p{L}*|alleg\p{L}+|erroneous(?:ly)?|contrary to|no longer|imagine|suppose|unproven|unfounded|unsubstantiated|obsolete|outdated|superseded|nonsense|lies?|not (?:the case|true|correct|right|valid|so(?=\s*[.,;:!?]))|(?:nobody|no one|hardly anyone) (?:\p{L}+ )?(?:believe[sd]?|thinks?|thought|claim(?:s|ed)?|sa(?:ys|id)|accept(?:s|ed)?)|(?:once|formerly|long|widely) (?:believed|thought|claimed|assumed))(?!\p{L})|n['’]t (?:the case|true|correct|right|so(?=\s*[.,;:!?]))(?!\p{L})|不实|谣言|辟谣|谣传|误解|误区|误传|误认|错误|虚假|并非|不对|假如|迷信|撤稿|否认|驳斥|质疑|不再|过时|没有人(?:相信|认为)/iu;
/** The same, within the sentence: the sentence before often says what was studied, and the quote what was found. */
const LEAVES_OPEN = /(?<!\p{L})(?:hypothes[ei]s|hypothetical\p{L}*|assum\p{L}+|whether)(?!\p{L})|假设|是否/iu;
const SENTENCE_END = /[.!?]["'”’)]?\s|[。！？]["”’」』）]?/u;
/** What follows a sentence that is asked: `Is it true? Owls are blind. No.` */
const ANSWERS_NO = /^[\s"”’)\]*_~|]*(?:no|nope|not (?:so|true|really)|不)\s*(?:[.!:;,。！，]|$)/iu;
const STRUCK = /~~\s*$/u;

/** Whether a text, near a sentence or above it, may say that the sentence isn't so. */
export function takesBack(text: string): boolean {
  return TAKES_BACK.test(text) || LEAVES_OPEN.test(text);
}

/** Whether the words around a quote say that it may not be so: a judge may miss it. */
export function isTakenBack({ before, after }: WordsAround): boolean {
  const own = `${before} `.split(SENTENCE_END).at(-1) ?? '';
  return (
    TAKES_BACK.test(`${before} ‡ ${after}`) ||
    LEAVES_OPEN.test(own) ||
    ANSWERS_NO.test(after) ||
    STRUCK.test(before)
  );
}
