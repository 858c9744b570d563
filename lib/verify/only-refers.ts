/** A longer sentence states something. */
const MAX_LENGTH = 200;

/** What a sentence can refer to, which has no word of its own: a link, a file, a number of the list of sources, a part by its number. */
const NAMED = [
  /https?:\/\/\S+/gi,
  /(?<![\p{L}\p{N}_/-])[\p{L}\p{N}_/-]{1,100}\.(?:pdf|docx?|md|txt|html?|tex|csv|xlsx|pptx|ipynb|py|js|ts|json)(?![\p{L}\p{N}])/giu,
  /\[\d{1,3}(?:\s*[,–-]\s*\d{1,3})*\]/g,
  /(?<!\p{L})(?:sections?|sec\.|chapters?|parts?|pages?|p\.|figures?|figs?\.|tables?|appendix|appendices|notes?|slides?|lines?)\s+(?:\p{Lu}(?!\p{L})|\d[\d.]*(?:\s*(?:and|to|[,–-])\s*\d[\d.]*)*)/giu,
];
const PART_ZH = /第\s*[\d一二三四五六七八九十]+\s*[章节页部分]+|[图表]\s*\d+|附录\s*[A-Z\d]|\[\d{1,3}\]/gu;

const SEE = /^(?:please\s+)?(?:also\s+)?(?:see|cf\.?|refer to|consult)\s+(?:also\s+)?/i;
const FOR_MORE =
  /^for\s+(?:(?:more|further|full|additional)\s+)?(?:details?|information|examples?|explanations?|definitions?),?\s+(?=(?:please\s+)?(?:also\s+)?(?:see|refer to|consult)\b)/i;
const DETAILS_ARE =
  /^(?:(?:the|more|further|full|additional|all)\s+){0,2}(?:details?|information|examples?|explanations?|definitions?|derivations?|proofs?)\s+(?:is|are|can be)\s+(?:(?:given|found|described|listed|provided|available|shown|explained|documented|included)\s+)?(?:in|at|on|under)\s+/i;
const SEE_ZH =
  /^(?:(?:更多|其他|详细|具体|完整)?(?:信息|内容|细节|说明|详情|情况|定义|推导|证明)?[，,]?\s*(?:也|还)?(?:请|可|均)?(?:参见|参阅|参看|参考|详见|另见|见)于?)\s*/u;

const PLACES = new Set(
  'above annex annexes appendices appendix below chapter chapters code data dataset datasets details docs document documentation documents figure figures file files footnote footnotes here link links list note notes page pages paper papers readme reference references report reports repository script scripts section sections slide slides source sources supplement table tables text website'.split(
    ' ',
  ),
);
const LINKS = new Set(
  'a also an and at by for in its my of on or our please the their these this those to with'.split(' '),
);
/** These only say which document is meant; any other word may state something: `the forged notes`. */
const WHICH = new Set(
  'accompanying additional analysis attached complete corresponding detailed earlier electronic enclosed entire extended field following full lab main meeting methods next online original previous project raw related relevant same separate shared supplemental supplementary supporting technical user whole'.split(
    ' ',
  ),
);
const PLACE_ZH =
  /^(?:\u{FFFC}|参考文献|附录|附件|附表|附图|笔记|代码|文献|下文|上文|前文|后文|下|上|文件|文档|报告|论文|网站|链接|注释|脚注|表格|正文|资料|数据|说明|和|与|及|以及|、|的|该|本|此|相关|，|\s)+$/u;
const PLACEHOLDER = '\u{FFFC}';

/**
 * Returns whether a sentence only tells where to read on, such as "See the notes and code." In doubt it states something: each of its
 * words must belong to the name of a document or a part of one.
 */
export function onlyRefers(sentence: string): boolean {
  if (sentence.length > MAX_LENGTH) return false;
  const text = sentence.trim().replace(/^[(（]|[.。!！)）]{1,5}$/gu, '');
  return refersZh(text) || refersEn(text);
}

function refersZh(text: string): boolean {
  const verb = SEE_ZH.exec(text)?.[0];
  return verb !== undefined && PLACE_ZH.test(text.slice(verb.length).replace(PART_ZH, PLACEHOLDER));
}

function refersEn(text: string): boolean {
  const asked = text.replace(FOR_MORE, '');
  const verb = (SEE.exec(asked) ?? DETAILS_ARE.exec(asked))?.[0];
  if (verb === undefined) return false;
  const rest = NAMED.reduce(
    (left, named) => left.replace(named, ` ${PLACEHOLDER} `),
    asked.slice(verb.length),
  );
  return !/[;:—!?]|\d/.test(rest) && namePlaces(rest.toLowerCase().split(/[\s,]+/));
}

/** Whether the words name places, each after at most two words that say which, such as `the field notes`. */
function namePlaces(words: string[]): boolean {
  const kinds = words.filter((word) => word !== '').map(kindOf);
  return /^(?:l|w{0,2}p)*$/.test(kinds.join('')) && kinds.includes('p');
}

/** A place, a linking word, one that says which place, or one that may state something. */
function kindOf(word: string): 'p' | 'l' | 'w' | 's' {
  if (PLACES.has(word) || word === PLACEHOLDER) return 'p';
  if (LINKS.has(word)) return 'l';
  return WHICH.has(word) ? 'w' : 's';
}
