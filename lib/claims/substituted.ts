import { type PlacedWord, placedWords } from './difference.ts';
import { isDenied } from './negation.ts';
import { isSameBut, sentencesIn, without } from './same-words.ts';
import type { Turned } from './turned.ts';

/** Words of which only one is so at one place, each with its forms as a regular expression. */
const SERIES: string[][] = [
  [
    'hourly',
    'daily|every day|each day',
    'weekly',
    'monthly',
    'quarterly',
    'semi-?annual(?:ly)?',
    'annual(?:ly)?|yearly',
  ],
  ['spring', 'summer', 'autumn|fall', 'winter'],
  ['early', 'mid', 'late'],
  ['first half', 'second half'],
  ['fiscal', 'calendar'],
  ['until|till', 'from|since'],
  ['within', 'after'],
  ['buyers?|purchasers?', 'sellers?|vendors?'],
  ['tenants?|lessees?', 'landlords?|lessors?'],
  ['plaintiffs?|claimants?', 'defendants?'],
  ['employers?', 'employees?'],
  ['creditors?|lenders?', 'debtors?|borrowers?'],
  ['licensors?', 'licensees?'],
  ['doctors?|physicians?', 'nurses?', 'pharmacists?'],
  ['wife', 'husband', 'brother', 'sister', 'mother', 'father', 'sons?', 'daughters?'],
  ['humans?|people', 'mice|mouse', 'rats?', 'rabbits?', 'monkeys?', 'dogs?', 'pigs?'],
  ['adults?', 'adolescents?|teenagers?', 'child(?:ren)?', 'infants?'],
  ['men', 'women'],
  ['mean|average', 'median', 'mode'],
  ['gross', 'net', 'operating'],
  ['odds', 'hazard'],
  ['relative', 'absolute'],
  ['minimum', 'maximum', 'average'],
  ['in vivo', 'in vitro', 'in silico'],
  ['global|worldwide', 'domestic|national', 'regional', 'local'],
  ['household', 'per[- ]capita'],
  ['most expensive', 'least expensive'],
  ["bachelor['’]?s", "master['’]?s", 'doctorate|doctoral|PhD'],
  ['intern', 'consultant', 'director', 'manager'],
  ['open-label', 'single-blind', 'double-blind'],
  ['single-use|disposable', 'reusable'],
  ['optional', 'required|mandatory|compulsory'],
  ['true', 'false'],
  ['published', 'submitted', 'withdrawn'],
  ['reported', 'fixed'],
  ['deprecated', 'removed', 'recommended'],
  ['dismissed', 'settled'],
  ['accused|charged|suspected', 'convicted', 'acquitted'],
  ['red', 'blue', 'green', 'yellow', 'black', 'white'],
  ['always', 'sometimes', 'never'],
  ['each', 'one'],
  ['exactly|precisely', 'about|approximately|roughly|around|nearly|almost'],
  [
    'must|shall|has to|have to|(?:is|are) required to',
    'may|can|(?:is|are) (?:allowed|permitted|entitled) to',
    'should|ought to',
  ],
  ['caus(?:e[sd]?|ing)|leads? to|led to', '(?:is|are|was|were) (?:associated|correlated|linked) (?:with|to)'],
  ['prov(?:e[sdn]?|en|ing)|demonstrat\\w+|confirm\\w*', 'suggest\\w*|hint(?:s|ed)? at|indicat\\w+'],
  [
    'rises? to|rose to|increased to|grew to|fell to|dropped to',
    'rises? by|rose by|increased by|grew by|fell by|dropped by',
  ],
  ['shippers?|consignors?', 'carriers?', 'consignees?'],
  ['insurers?', 'insured|policyholders?'],
  ['north\\w*', 'south\\w*', 'east\\w*', 'west\\w*'],
  ['higher', 'lower'],
  ['inputs?', 'outputs?'],
  ['automatically', 'manually'],
  ['accept(?:s|ed)?', 'renounce[sd]?|decline[sd]?'],
  ['甲方', '乙方', '丙方'],
  ['原告', '被告'],
  ['左', '右'],
  ['东部', '西部', '南部', '北部', '中部'],
  ['上半年', '下半年'],
  ['上午', '下午'],
  ['毛利润', '净利润', '营业利润'],
  ['平均', '中位', '最高', '最低'],
  ['[饭餐]前', '[饭餐]后'],
  ['有效', '无效'],
  ['已婚', '未婚'],
  ['每(?:天|日)', '每周', '每月', '每季度?', '每年'],
  ['学士', '硕士', '博士'],
  ['成人|成年人', '儿童|未成年人', '老年人'],
  ['默认为真', '默认为假'],
  ['支持', '驳回'],
  ['买入', '卖出'],
  ['增至', '减至'],
  ['必须|应当', '可以'],
  ['始终|总是', '有时'],
  ['高于|多于|大于', '低于|少于|小于'],
  ['每吨', '每公斤|每千克'],
  ['[至最]少', '[至最]多'],
  ['逾|超过', '不足|不到'],
  ['按[日天]', '按周', '按月', '按季度?', '按年'],
  ['春', '夏', '秋', '冬'],
  ['高', '低'],
  ['前', '后'],
  ['大', '小'],
  ['多', '少'],
  ['内', '外'],
  ['男', '女'],
  ['新', '旧'],
  ['供[货应]方', '采购方'],
  ['通过了?', '否决了?'],
  ['增长到|增加到|增至', '增长了|增加了|增加(?!到)'],
];
const PATTERNS = SERIES.map((members) => members.map(wholeWord));
const ANY = wholeWord(SERIES.flat().join('|'));

function wholeWord(words: string): RegExp {
  const parts = words.split(/\|(?![^(]*\))/);
  const [han, latin] = [true, false].map((isHan) =>
    parts.filter((part) => /\p{Script=Han}/u.test(part) === isHan),
  );
  const spelled = latin?.length ? [`(?<![\\p{L}\\p{N}-])(?:${latin.join('|')})(?![\\p{L}\\p{N}-])`] : [];
  return new RegExp([...spelled, ...(han ?? [])].join('|'), 'giu');
}

/**
 * Returns where a quoted sentence is the same but for a word of a series, of which it has another one: `buyer … seller`. Only one word that
 * is known counts: any other may be another name of the same.
 */
function otherOfSeries(sentence: string, quoted: string[]): string[] {
  if (sentence.search(ANY) === -1) return [];
  return PATTERNS.flatMap((members) => {
    const own = members.filter((member) => sentence.search(member) !== -1);
    const [member] = own;
    if (member === undefined || own.length > 1) return [];
    if (quoted.some((said) => said.search(member) !== -1 && isSameBut([sentence, member], [said, member])))
      return [];
    return quoted.flatMap((said) => {
      const other = members.find(
        (one) => one !== member && said.search(one) !== -1 && said.search(member) === -1,
      );
      const isSame = other !== undefined && isDenied(sentence) === isDenied(said);
      if (!isSame || !isSameBut([sentence, member], [said, other])) return [];
      return [`${sentence.match(member)?.[0]} … ${said.match(other)?.[0]}`];
    });
  });
}

/** What a text says as possible, planned, or told by others. `May` is a month. */
const HEDGE =
  /(?<!\p{L})(?:may|might|could|[Pp]ossibly|[Pp]robably|[Pp]erhaps|likely|[Aa]llegedly|[Rr]eportedly|[Ss]upposedly|(?:is|are|was|were) (?:expected|likely|designed|planned|supposed|believed|thought) to|plan(?:s|ned)? to|intend(?:s|ed)? to|aim(?:s|ed)? to|hope[sd]? to|seem(?:s|ed)? to|appear(?:s|ed)? to)(?!\p{L})|可能|或许|也许|大概|据称|涉嫌|计划|拟|预计|有望|疑似/gu;
/** A condition at the end of a sentence or the beginning. */
const CONDITION =
  /,?\s(?:only (?:if|when|where)|if|unless|provided|except|subject to|as long as|when accompanied)\s[^.]*|^(?:if|unless|provided|subject to)\s[^,]*,\s|^(?:如果?|若|经|除非)[^，。]*，/giu;
/** What a quote only nearly says, or of another rank. */
const QUALIFIER =
  /(?<!\p{L})(?:nearly|almost|hardly|barely|partly|partially|mostly|largely|mainly|deputy|vice|acting|former|interim)(?!\p{L})|几乎|近乎|基本上|副|代理|前任/giu;
const NOTHING = /(?!)/gu;

/** Where a quoted sentence says the same only as possible, on a condition, or nearly. */
function saidWithLimits(sentence: string, quoted: string[]): string[] {
  return [HEDGE, CONDITION, QUALIFIER].flatMap((limits) => {
    if (sentence.search(limits) !== -1) return [];
    const found = quoted.map((said) => ({
      said,
      plain: said.replace(limits, ' '),
      limit: said.match(limits)?.[0] ?? '',
    }));
    const same = found.filter(({ plain }) => isSameBut([sentence, NOTHING], [plain, NOTHING]));
    return same.length > 0 && same.every(({ limit }) => limit !== '') ? [`… ${same[0]?.limit.trim()}`] : [];
  });
}

/** `inflammable` and `invaluable` deny nothing. */
const PREFIX =
  /^(?:un|non-?|il|ir|im|dis|mis|anti-?|in(?!flammab|valuab|famous|different|habit|form|tens|come|side|vest|crease|stall))(?=\p{L}{4})/u;
const WORD = /[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*/gu;

/** Where a quoted sentence is the same but for a prefix that denies: `soluble … insoluble`. */
function deniedByPrefix(sentence: string, quoted: string[]): string[] {
  const own = wordsOf(sentence);
  return quoted.flatMap((said) => {
    const others = wordsOf(said);
    const [mine, theirs] = [without(own, others), without(others, own)];
    const pair = mine.flatMap((one) => {
      const other = theirs.find((word) => isOpposite(one, word) || isOpposite(word, one));
      return other === undefined ? [] : [[one, other] as const];
    })[0];
    if (pair === undefined || isDenied(sentence) !== isDenied(said)) return [];
    const [one, other] = pair;
    return isSameBut([withoutWord(sentence, one), NOTHING], [withoutWord(said, other), NOTHING])
      ? [`${one} … ${other}`]
      : [];
  });
}

/** `overfilled` is no `underfilled`. */
const PREFIXES = [
  'over under',
  'hyper hypo',
  'homo hetero',
  'up down',
  'pre post',
  'inter intra',
  'macro micro',
  'endo exo',
  'in ex',
  'in out',
].map((pair) => pair.split(' '));
const LEAST_STEM = 4;

function isOpposite(word: string, denied: string): boolean {
  if (denied.endsWith(word) && denied.replace(PREFIX, '') === word) return true;
  return PREFIXES.some(([one = '', other = '']) => {
    const stem = word.slice(one.length);
    return stem.length >= LEAST_STEM && word === one + stem && denied === other + stem;
  });
}

/** A text with a sign in place of a word. */
function withoutWord(text: string, wanted: string): string {
  return text.replace(WORD, (word) => (word.toLowerCase() === wanted ? '‡' : word));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

const TOKEN = /\p{Script=Han}|[\p{L}\p{M}\p{N}]+/gu;
/** Between two words that may be in any order. */
const SYMMETRIC =
  /^(?:[,、/&\s]|(?<!\p{L})(?:and|or|und|et|y|e|with|like|resembles?|borders?|equals?|meets?|met|between|near|opposite|versus|vs|nor|the|an?)(?!\p{L})|[和与及或跟同])*$/iu;
/** Of a list of several, an item between two others. */
const ITEM = /^(?:\p{L}+|\p{Lu}\p{L}+(?:\s\p{Lu}\p{L}+)*)?$/u;
const MAX_TOKENS = 60;
/** Of fewer words, two that are exchanged may be a title. */
const LEAST_TOKENS = 4;

/** Where a quoted sentence is the same but for two words that are exchanged: `born in Rome … died in Paris`. */
function exchangedWords(sentence: string, quoted: string[]): string[] {
  const own = placedWords(sentence, TOKEN);
  if (own.length < LEAST_TOKENS || own.length > MAX_TOKENS) return [];
  const said = quoted.map((text) => placedWords(text, TOKEN));
  if (said.some((tokens) => isExchangedIn(own, tokens, []))) return [];
  const both = said.flatMap((tokens) => {
    const at = own.flatMap(({ word }, place) => (word === tokens[place]?.word ? [] : [place]));
    const [one, other] = [own[at[0] ?? 0], own[at[1] ?? 0]];
    return at.length === 2 && isExchangedIn(own, tokens, at) && one && other ? [[one, other] as const] : [];
  });
  return both
    .filter(([one, other]) => !isListed(sentence.slice(one.end, other.start)))
    .map(([one, other]) => `${one.word} … ${other.word}`);
}

/** Whether two lists of words are the same, with those of two places exchanged. */
function isExchangedIn(own: PlacedWord[], said: PlacedWord[], [first, second]: number[]): boolean {
  if (own.length !== said.length) return false;
  const placeOf = (at: number) => (at === first ? second : at === second ? first : at) ?? at;
  return own.every(({ word }, at) => word === said[placeOf(at)]?.word);
}

function isListed(between: string): boolean {
  if (SYMMETRIC.test(between) || /^\p{Script=Han}*[和与及或跟同、]/u.test(between)) return true;
  const items = between.split(/,\s*(?:and|or)?\s|、/u);
  return items.length > 1 && items.every((item) => ITEM.test(item.trim()));
}

/**
 * Returns where a quoted sentence is the same as a sentence but for one difference that code knows: a word of a series, a prefix that
 * denies, a possibility or a condition that the sentence lacks, or two words that are exchanged. None is certain: the rest of the quote
 * may say it in another way.
 */
export function substituted(sentence: string, quotes: string[]): Turned[] {
  const quoted = quotes.flatMap(sentencesIn).slice(0, MAX_SENTENCES);
  const found = [otherOfSeries, saidWithLimits, deniedByPrefix, exchangedWords].flatMap((find) =>
    find(sentence, quoted),
  );
  return [...new Set(found)].map((text) => ({ text, isCertain: false }));
}

/** The quoted sentences that a sentence is compared with. */
const MAX_SENTENCES = 40;
