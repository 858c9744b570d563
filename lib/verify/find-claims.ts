import { holdsFacts } from '../claims/facts.ts';
import { statesFact } from '../research/check/states-fact.ts';
import type { DraftText } from './draft/draft.ts';

/** The headings after which a draft lists its sources. */
const SOURCES =
  /^(?:#{1,6}\s*)?(?:\d+(?:\.\d+)*\.?\s+|[一二三四五六七八九十]+、\s*)?(?:references|bibliography|works cited|literature(?: cited)?|sources|参考文献|引用文献|参考资料)\s*[:：]?$/iu;
/** Words of a writer who says what they will do, and not what is. */
const PLAN_EN =
  /^(?:(?:first|then|next|finally|here|therefore|thus|in (?:this|the (?:next|following)) (?:paper|section|report|chapter|article|study|thesis|work|part)),?\s+)*(?:we|i)(?:'ll| (?:will|shall|plan|aim|intend|hope|propose|want|would like|are going|am going))\b(?!.*\b(?:that|because|since)\b)/i;
const PLAN_ZH =
  /^(?:(?:首先|然后|接下来|最后|为此|因此)，?)*(?:我们|我|本文|笔者)(?:将|打算|计划|拟|希望|准备|想)(?!.*(?:因为|由于|表明|证明))/u;
const THANKS =
  /^(?:we|i|the authors?) (?:thanks?|gratefully|acknowledges?|am grateful|are grateful)\b|^(?:感谢|致谢|我们感谢|作者感谢)/iu;
const ENDS = /[.!?。！？…;；][\])"'”’」』）*_]*$/u;
/** More words without a full stop are an item of a list, which may state something. */
const HEADING_WORDS = 8;
const HEADING_HAN = 16;

/**
 * Returns the places of the sentences that hold a claim. In doubt a sentence does: only headings, questions, transitions, plans of
 * the writer, thanks, and the list of sources don't.
 */
export function findClaims({ sentences }: Pick<DraftText, 'sentences'>): number[] {
  const listed = sourcesStart(sentences);
  return sentences.flatMap((sentence, at) => (at < listed && isClaim(sentence) ? [at] : []));
}

/** Returns the place of the first sentence of the list of sources, which ends a draft. */
export function sourcesStart(sentences: DraftText['sentences']): number {
  const at = sentences.findLastIndex(({ text }) => SOURCES.test(text.trim()));
  return at === -1 ? sentences.length : at;
}

function isClaim({ text, isHeading }: DraftText['sentences'][number]): boolean {
  const plain = text.trim();
  if (isHeading || isLikeHeading(plain) || !statesFact(plain)) return false;
  return !PLAN_EN.test(plain) && !PLAN_ZH.test(plain) && !THANKS.test(plain);
}

/** A short line without a full stop, and without a fact that could be checked. */
function isLikeHeading(text: string): boolean {
  if (/^#{1,6}\s/.test(text)) return true;
  if (ENDS.test(text) || holdsFacts(text)) return false;
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  return han > 0 ? han <= HEADING_HAN : text.split(/\s+/).length <= HEADING_WORDS;
}
