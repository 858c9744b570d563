import {
  type Finding,
  type FindingRule,
  type FoundPlace,
  isOtherwise,
  lacksFact,
  markOf,
  missingIn,
} from './findings.ts';
import { partLabel } from './part-label.ts';
import type { Support } from './support.ts';

/** The rules that have their own wording. The others share one. */
type Worded = Exclude<FindingRule, `${'number' | 'unit' | 'date' | 'name' | 'quotation'}_missing`>;

interface Words {
  /** The separator between the facts of a list. */
  comma: string;
  /** The separator between a path and the location in its file. */
  place: string;
  line(number: number): string;
  part(where: FoundPlace): string;
  missing(facts: string): string;
  contradicted(what: string): string;
  doubted(what: string): string;
  elsewhere(own: string, where: string): string;
  differs(own: string, found: string): string;
  rules: Partial<Record<Worded, (own: string, found: string, where: string) => string>>;
}

/** One table per language. */
export const FINDING_WORDS: Record<'en' | 'zh', Words> = {
  en: {
    comma: ', ',
    place: ', ',
    line: (number) => `line ${number}`,
    part: partLabel,
    missing: (facts) => `Not in the source: ${facts}.`,
    contradicted: (what) =>
      what === '' ? 'The source says otherwise.' : `The source says otherwise: ${what}.`,
    doubted: (what) =>
      what === '' ? 'The source may say otherwise.' : `The source may say otherwise: ${what}.`,
    elsewhere: (own, where) => `${own} is in ${where}.`,
    differs: (own, found) => `The source has “${found}” where the sentence has “${own}”.`,
    rules: {
      same_sentence: (_, __, where) =>
        where === '' ? 'The source has the same sentence.' : `The same sentence is in ${where}.`,
      not_judged: () => 'A similar passage was found. It was not judged whether it supports the sentence.',
      not_compared: () => 'The sentence was not compared.',
      no_quote: () => 'Nothing similar was found.',
      few_words: () => 'Only passages with some of its words were found.',
      shares_sentences: (_, __, where) =>
        `${where} shares sentences with the draft, and may be a version of it.`,
      subject_elsewhere: () => 'What it refers to was not found near the quote.',
      taken_back: () => 'Words around the quote may say that it is not so.',
      source_listed: () => 'In the list of sources.',
      source_unlisted: (own) => `The draft's list of sources does not have ${own}.`,
      source_absent: (own) => `The source that it names (${own}) is not in the files.`,
      source_otherwise: (own, _, where) => `The source that it names (${own}: ${where}) says otherwise.`,
      source_lacks: (own, found, where) =>
        `${where} has something similar, but the source that it names (${own}: ${found}) does not.`,
      other_place_otherwise: (_, __, where) => `Another place says otherwise: ${where}.`,
    },
  },
  zh: {
    comma: '、',
    place: '，',
    line: (number) => `第 ${number} 行`,
    part: ({ page, slide, sheet, cells, cell, rows }) =>
      [
        page !== undefined && `第 ${page} 页`,
        slide !== undefined && `第 ${slide} 张幻灯片`,
        sheet !== undefined && `工作表“${sheet}”`,
        rows !== undefined && `第 ${rows[0]}-${rows[1]} 行`,
        (cells ?? cell) !== undefined && `单元格 ${cells ?? cell}`,
      ]
        .filter((word) => word !== false)
        .join('，'),
    missing: (facts) => `来源中没有：${facts}。`,
    contradicted: (what) => (what === '' ? '来源的说法相反。' : `来源的说法相反：${what}。`),
    doubted: (what) => (what === '' ? '来源的说法可能相反。' : `来源的说法可能相反：${what}。`),
    elsewhere: (own, where) => `${own} 在 ${where}。`,
    differs: (own, found) => `来源写的是“${found}”，而句子写的是“${own}”。`,
    rules: {
      same_sentence: (_, __, where) => (where === '' ? '来源中有相同的句子。' : `${where} 中有相同的句子。`),
      not_judged: () => '找到了相似的段落，但未判断它是否支持该句。',
      not_compared: () => '未比对该句。',
      no_quote: () => '没有找到相似的内容。',
      few_words: () => '只找到含有其中部分词语的段落。',
      shares_sentences: (_, __, where) => `${where} 与草稿有相同的句子，可能是它的另一个版本。`,
      subject_elsewhere: () => '引文附近没有找到该句所指的对象。',
      taken_back: () => '引文前后的文字可能表示并非如此。',
      source_listed: () => '在参考文献列表中。',
      source_unlisted: (own) => `草稿的参考文献列表中没有 ${own}。`,
      source_absent: (own) => `该句所指的来源（${own}）不在文件中。`,
      source_otherwise: (own, _, where) => `该句所指的来源（${own}：${where}）的说法相反。`,
      source_lacks: (own, found, where) =>
        `${where} 中有相似的内容，但该句所指的来源（${own}：${found}）中没有。`,
      other_place_otherwise: (_, __, where) => `另一处的说法相反：${where}。`,
    },
  },
};

/** Returns the reason why the support of a sentence is less than full, in English; empty if there are no findings. */
export function reasonOf(support: Support, findings: readonly Finding[]): string {
  return support === 'unjudged' ? '' : wordFindings(findings, support).join(' ');
}

/** A sentence about a finding, and the location that it names. */
export interface WordedFinding {
  text: string;
  where?: FoundPlace;
}

/**
 * Returns the findings as sentences: one for all missing facts, and one for each other finding. A difference is certain
 * if the support is `contradicted`.
 */
export function wordFindings(...given: Parameters<typeof wordWithPlaces>): string[] {
  return wordWithPlaces(...given).map(({ text }) => text);
}

/** Returns the same sentences, for use next to a mark that already names the missing facts. */
export function wordBesideMark(
  findings: readonly Finding[],
  support: Support,
  language: 'en' | 'zh',
): string[] {
  const isNamed = markOf(support) === 'not_in_source' && missingIn(findings).length > 0;
  return wordFindings(findings, support, language).slice(isNamed ? 1 : 0);
}

/** Returns the sentences of `wordFindings()` with their locations, for views that link to them. */
export function wordWithPlaces(
  findings: readonly Finding[],
  support: Support,
  language: 'en' | 'zh' = 'en',
): WordedFinding[] {
  const words = FINDING_WORDS[language];
  const missing = missingIn(findings).join(words.comma);
  const each = findings.map((finding) => ({
    text: wordOne(finding, support, words),
    ...(finding.where && { where: finding.where }),
  }));
  return [{ text: missing && words.missing(missing) }, ...each].filter(({ text }) => text !== '');
}

function wordOne(finding: Finding, support: Support, words: Words): string {
  const { rule, own, found = '', where } = finding;
  const place = where === undefined ? '' : placeOf(where, words);
  if (lacksFact(finding)) {
    const says = [found !== '' && words.differs(own, found), place !== '' && words.elsewhere(own, place)];
    return says.filter((each) => each !== false).join(' ');
  }
  const worded = words.rules[rule as Worded];
  if (worded !== undefined) return worded(own, found, place);
  if (!isOtherwise(finding)) return '';
  const what = found === '' ? own : `${own} … ${found}`;
  return support === 'contradicted' ? words.contradicted(what) : words.doubted(what);
}

function placeOf(where: FoundPlace, words: Words): string {
  const { path, startLine } = where;
  const part = words.part(where);
  const line = part === '' && startLine !== undefined ? words.line(startLine) : part;
  return [path, line].filter(Boolean).join(words.place);
}
