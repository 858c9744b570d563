import { statesFact } from '../support/rules/states-fact.ts';
import type { DraftText } from './draft/draft.ts';
import { cellsOf } from './draft/markdown-tables.ts';
import { isLikeHeading, listedSources, statesLittle } from './source-list.ts';

/** Matches words with which writers state their plans rather than facts. */
const PLAN_EN =
  /^(?:(?:first|then|next|finally|here|therefore|thus|in (?:this|the (?:next|following)) (?:paper|section|report|chapter|article|study|thesis|work|part)),?\s+)*(?:we|i)(?:'ll| (?:will|shall|plan|aim|intend|hope|propose|want|would like|are going|am going))\b(?!.*\b(?:that|because|since)\b)/i;
const PLAN_ZH =
  /^(?:(?:首先|然后|接下来|最后|为此|因此)，?)*(?:我们|我|本文|笔者)(?:将|打算|计划|拟|希望|准备|想)(?!.*(?:因为|由于|表明|证明))/u;
const THANKS =
  /^(?:we|i|the authors?) (?:thanks?|gratefully|acknowledges?|am grateful|are grateful)\b|^(?:感谢|致谢|我们感谢|作者感谢)/iu;
/** Matches numbers of the draft's own parts, and of grants, which aren't facts. */
const OWN_PARTS =
  /(?<!\p{L})(?:sections?|sec\.|chapters?|parts?|pages?|figures?|fig\.|tables?|appendix|steps?|grants?|awards?|projects?|nos?\.?|numbers?)\s*[\p{L}\p{N}./-]*\d[\p{L}\p{N}./-]*|第\s*\d+\s*[章节页部分]+|[图表]\s*\d+/giu;
/**
 * Matches sentences that only refer to another place: `See the notes and code.`, `For details, see Table 2.`
 */
const SEE_EN =
  /^[(（]?(?:for [\p{Ll} ]{1,40}, )?(?:(?:please|also) )*(?:see|cf\.|refer to)(?= )[^,;:!?—]*$/iu;
const SEE_ZH =
  /^[(（]?(?:[\p{Script=Han}]{1,6}[，,]?)?请?(?:参见|参阅|参看|详见|另见|见附录)[^，,；;：:！？]*$/u;
/** Matches a link, or a number in the list of sources. */
const LINKS = /https?:\/\/\S+|\[\d[\d\s,–-]*\]/g;
/** The maximum length of a sentence without a claim, in characters. A longer one states something. */
const MAX_EMPTY = 1000;
/**
 * The time limit in milliseconds. Only a manipulated draft takes longer; its remaining sentences count as
 * claims.
 */
const TIME_MS = 15_000;

export interface FoundClaims {
  /** The indexes of the sentences with a claim. */
  claims: number[];
  /** The indexes of the sentences in a list of sources. */
  listed: number[];
}

/**
 * Finds the sentences that contain a claim. In doubt, a sentence does. The exceptions are headings,
 * questions, transitions, references to other places, entries in a list of sources, and the writer's plans
 * and thanks, if they contain no number.
 */
export function findClaims(draft: Pick<DraftText, 'text' | 'sentences'>): FoundClaims {
  const { entries: sources } = listedSources(draft);
  const found: FoundClaims = { claims: [], listed: [] };
  const until = performance.now() + TIME_MS;
  let next = 0;
  for (const [at, sentence] of draft.sentences.entries()) {
    while ((sources[next]?.end ?? Number.POSITIVE_INFINITY) <= sentence.start) next++;
    const isListed = (sources[next]?.start ?? Number.POSITIVE_INFINITY) <= sentence.start;
    if (isListed) found.listed.push(at);
    else if (performance.now() > until || isClaim(sentence)) found.claims.push(at);
  }
  return found;
}

function isClaim({ text, isHeading, isRow }: DraftText['sentences'][number]): boolean {
  const plain = text.trim();
  if (isRow && cellsOf(plain).filter((cell) => /[\p{L}\p{N}]/u.test(cell)).length > 1) return true;
  if (isHeading || isLikeHeading(plain)) return false;
  if (plain.length > MAX_EMPTY) return true;
  if (!statesFact(plain) || onlyRefers(plain)) return false;
  const isPlan = PLAN_EN.test(plain) || PLAN_ZH.test(plain) || THANKS.test(plain);
  return !isPlan || /\d/.test(plain.replace(OWN_PARTS, ''));
}

function onlyRefers(sentence: string): boolean {
  const bare = sentence.replace(LINKS, '');
  return (SEE_EN.test(bare) || SEE_ZH.test(bare)) && statesLittle(bare.replace(OWN_PARTS, ''));
}
