import { holdsFacts } from './facts.ts';

const LONGEST_TRANSITION = 200;
const QUESTION = /[?？]["'”’」)）]*\s*$/u;
/** Matches the end of a sentence before the question, in a trimmed text. */
const SENTENCE_END = /[.!。！…;；:：]["'”’」)）]*\s|[。！；：]\S|\n/u;
/** Matches a heading of one or two words. A longer one may state something. */
const HEADING = /^\s*#{1,6}\s+\S+(?:\s\S+)?$/;
const LEAD_IN =
  /^(?:\s*(?:for (?:example|instance)|in short|in summary|that is|例如|比如|总之|简言之)[:：,，]?\s*)$/iu;
/** Matches phrases that say only what the report does next. `about` is their object. */
const TRANSITION_EN =
  /^(?:this|the (?:following|next|last|present)|each) (?:section|report|chapter|part|paragraph|table|list|summary)s? (?:compares?|describes?|summari[sz]es?|looks? at|covers?|lists?|answers?|discusses|presents?|examines?|reviews?|considers?|explains?|outlines?|turns? to|asks?)\b(?<about>.*)$/i;
const TRANSITION_ZH =
  /^(?:本节|本报告|本章|本部分|下文|下一节|接下来|以下|下面)(?<before>[^，；：]{0,6}?)(?:比较|介绍|讨论|总结|概述|说明|列出|回答|分析|梳理|考察|阐述|探讨)(?<about>.*)$/u;
/** Words that state nothing about the world. */
const EMPTY_WORDS = new Set(
  'a about above advantages all and answers any approach approaches area areas arguments aspects at available background basic before below benefits between both brief briefly by cases causes challenges chapter claims common comparison consequences context costs current data definition definitions detail details differences different difficulties disadvantages each effects evidence example examples existing facts few field figures findings first following for four from further general given history how-to important in individual information introduction issue issues its itself key kinds known limitations limits literature main major material matter measures method methods more most next of on one open opinions options or order other others outlook overview papers part parts period points position positions possible practical present previous problem problems question questions reasons recent recommendations related relevant remaining report reports research results risks scope section sections several short similarities single solutions some sources specific state steps studies study subject such sum summary terms that the their them then these they this those three to topic topics turn turns two types under various view views way ways what whether which with work works'.split(
    ' ',
  ),
);
const EMPTY_HAN =
  /将|会|先|再|首先|进一步|依次|分别|简要|逐一|对|就|从|其|各|这|那|些|此|该|本|两|三|四|几|多|种|个|类|项|方面|的|与|和|及|以及|之间|之|中|在|上述|前述|现有|已有|主要|相关|有关|不同|重要|关键|具体|进行|了|方法|方案|研究|结果|结论|发现|问题|资料|来源|文献|证据|数据|差异|区别|异同|优点|缺点|优缺点|优势|劣势|背景|历史|现状|概况|内容|观点|论点|定义|概念|类型|案例|例子|步骤|建议|风险|局限|影响|原因|主题|情况|比较|介绍|讨论|总结|分析|如下|、/gu;
const PRESUPPOSES =
  /\b(?:because|since|that (?:is|are|was|were)|shows? that|although|than|but|whereas|not|how|why)\b|[,;:—–]|因为|由于|表明|但|不(?!同)|优于|高于|低于|如何|怎样|为何|为什么|[，；：]/iu;
const NO_ANSWER =
  /^(?:the|these) (?:kept |available )?sources do not answer (?:this|the) question\.?$|^(?:现有)?资料(?:没有|未能|未)回答(?:这个|该|此)问题。?$/iu;

/** Matches the number of things that the report itself considers. */
const FEW = /\b(?:two|three|four|five)\b|[两二三四五](?=[种个类者项])/giu;

/**
 * Returns whether a sentence needs evidence. In doubt, returns true: only a sentence that clearly states
 * nothing about the world needs no evidence. A transition consists of empty words, and words of the report's
 * own questions.
 */
export function statesFact(sentence: string, questions: string[] = []): boolean {
  const text = sentence.trim();
  if (!/[\p{L}\p{N}]/u.test(text)) return false;
  if (HEADING.test(text) || LEAD_IN.test(text) || NO_ANSWER.test(text)) return false;
  if (QUESTION.test(text)) return !isOneQuestion(text) || holdsFacts(text.replace(FEW, ''));
  return !isTransition(text.replace(/[.。!！:：]\s*$/u, ''), questions.join('\n').toLowerCase());
}

/** Returns whether a text asks a question and states nothing else. */
export function isOneQuestion(text: string): boolean {
  return QUESTION.test(text) && !SENTENCE_END.test(text.trim());
}

function isTransition(text: string, asked: string): boolean {
  if (text.length > LONGEST_TRANSITION || holdsFacts(text.replace(FEW, ''))) return false;
  const { about, before = '' } = (TRANSITION_EN.exec(text) ?? TRANSITION_ZH.exec(text))?.groups ?? {};
  if (about === undefined || PRESUPPOSES.test(about)) return false;
  return isEmpty(about, asked) && isEmpty(before, '');
}

/**
 * Returns whether each word is empty or part of the question. In Chinese, checks each remaining character.
 */
function isEmpty(text: string, asked: string): boolean {
  const words =
    text
      .toLowerCase()
      .replace(EMPTY_HAN, ' ')
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.every((word) => EMPTY_WORDS.has(word) || stands(word, asked));
}

function stands(word: string, text: string): boolean {
  const isHan = /\p{Script=Han}/u.test(word);
  return isHan
    ? word.length > 1 && text.includes(word)
    : new RegExp(`(?<!\\p{L})${word}(?!\\p{L})`, 'u').test(text);
}
