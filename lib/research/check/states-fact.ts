import { holdsFacts } from '../../claims/facts.ts';

const LONGEST_TRANSITION = 200;
const QUESTION = /[?？]["'”’」)）]*\s*$/u;
/** The end of a sentence before what is asked. */
const SENTENCE_END = /[.!。！…;；:：]["'”’」)）]*\s+\S|[。！；：]\S|\n\s*\S/u;
/** A word or two: more may say something. */
const HEADING = /^\s*#{1,6}\s+\S+(?:\s\S+)?$/;
const LEAD_IN =
  /^(?:\s*(?:for (?:example|instance)|in short|in summary|that is|例如|比如|总之|简言之)[:：,，]?\s*)$/iu;
/** What only says what the report does next. A clause more may say something. */
const TRANSITION_EN =
  /^(?:this|the (?:following|next|last|present)|each) (?:section|report|chapter|part|paragraph|table|list|summary)s? (?:compares?|describes?|summari[sz]es?|looks? at|covers?|lists?|answers?|discusses|presents?|examines?|reviews?|considers?|explains?|outlines?|turns? to|asks?)\b[^,;:—–]*$/i;
const TRANSITION_ZH =
  /^(?:本节|本报告|本章|本部分|下文|下一节|接下来|以下|下面)[^，；：]{0,6}(?:比较|介绍|讨论|总结|概述|说明|列出|回答|分析|梳理|考察|阐述|探讨)[^，；：]*$/u;
const CLAIM =
  /\b(?:because|since|which|that (?:is|are|was|were)|shows? that|although|than|but|whereas|not)\b|因为|由于|表明|但|不|优于|高于|低于/iu;
const NO_ANSWER =
  /^(?:the|these) (?:kept |available )?sources do not answer (?:this|the) question\.?$|^(?:现有)?资料(?:没有|未能|未)回答(?:这个|该|此)问题。?$/iu;

/** How many things the report itself looks at. */
const FEW = /\b(?:two|three|four|five)\b|[两二三四五](?=[种个类者项])/giu;

/** Whether a sentence must rest on evidence. In doubt it must: only what plainly says nothing of the world need not. */
export function statesFact(sentence: string): boolean {
  const text = sentence.trim();
  if (!/[\p{L}\p{N}]/u.test(text)) return false;
  if (HEADING.test(text) || LEAD_IN.test(text) || NO_ANSWER.test(text)) return false;
  if (QUESTION.test(text)) return !isOneQuestion(text) || holdsFacts(text.replace(FEW, ''));
  return !isTransition(text.replace(/[.。!！:：]\s*$/u, ''));
}

/** Whether a text asks, and says nothing beside what it asks. */
export function isOneQuestion(text: string): boolean {
  return QUESTION.test(text) && !SENTENCE_END.test(text.trim());
}

function isTransition(text: string): boolean {
  if (text.length > LONGEST_TRANSITION || CLAIM.test(text) || holdsFacts(text.replace(FEW, ''))) return false;
  return TRANSITION_EN.test(text) || TRANSITION_ZH.test(text);
}
