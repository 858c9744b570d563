import { ENGLISH_NUMBER, readChineseNumber, readEnglishNumber } from './number-words.ts';

/** The location that a text states: `page 12`, `Table 3`, `第三章`. */
export interface PlaceFact {
  text: string;
  kind: string;
  number: string;
}

const KINDS: [kind: string, spellings: string][] = [
  ['page', 'pages?|pp?\\.'],
  ['section', '(?:sub)?sections?|sect?s?\\.|§{1,9}'],
  ['chapter', 'chapters?|chaps?\\.'],
  ['table', 'tables?|tabs?\\.'],
  ['figure', 'figures?|figs?\\.'],
  ['line', 'lines?|ll?\\.'],
  ['paragraph', 'paragraphs?|paras?\\.|¶{1,9}'],
  ['equation', 'equations?|eqs?\\.'],
  ['appendix', 'appendix|appendices|app\\.'],
  ['volume', 'volumes?|vols?\\.'],
  ['slide', 'slides?'],
  ['footnote', 'footnotes?|fn\\.'],
];
const HAN_KINDS: Record<string, string> = {
  ...{ 页: 'page', 節: 'section', 节: 'section', 章: 'chapter', 行: 'line', 段: 'paragraph', 卷: 'volume' },
  ...{ 表: 'table', 图: 'figure', 式: 'equation', 附录: 'appendix', 脚注: 'footnote' },
};
const HAN_NUMBER = '\\d+(?:\\.\\d+)*|[〇零一二三四五六七八九十百千]+';
const NUMBER = `\\d[\\d,]*(?:\\.\\d+)*|${ENGLISH_NUMBER.source}`;

const ENGLISH = new RegExp(
  `(?<![\\p{L}\\d])(?:${KINDS.map(([kind, spellings]) => `(?<${kind}>${spellings})`).join('|')})\\s*(?:no\\.?\\s*|number\\s+|#\\s?)?\\(?(?<number>${NUMBER})`,
  'giu',
);
const CHINESE = new RegExp(
  `第\\s?(?<before>${HAN_NUMBER})\\s?(?<of>[页节節章行段卷])|(?<named>附录|脚注|[表图式])\\s?(?<after>${HAN_NUMBER})`,
  'gu',
);

/**
 * Returns the places that a text names by number. A number alone isn't a place: if a quote contains it, that
 * says nothing about a page.
 */
export function readPlaces(text: string): PlaceFact[] {
  const english = [...text.matchAll(ENGLISH)].map(({ 0: found, groups = {} }) => {
    const [kind = ''] = KINDS.find(([name]) => groups[name] !== undefined) ?? [];
    return { text: found, kind, number: readNumber(groups.number) };
  });
  const chinese = [...text.matchAll(CHINESE)].map(({ 0: found, groups = {} }) => {
    const { before, of = '', after, named = '' } = groups;
    return { text: found, kind: HAN_KINDS[of || named] ?? '', number: readNumber(before ?? after) };
  });
  return [...english, ...chinese];
}

function readNumber(text = ''): string {
  if (/^\d/.test(text)) return text.replaceAll(',', '').replace(/\.$/, '');
  return String(/^[a-z]/i.test(text) ? readEnglishNumber(text) : readChineseNumber(text));
}

export function saysPlace({ kind, number }: PlaceFact, said: PlaceFact[]): boolean {
  return said.some((other) => other.kind === kind && other.number === number);
}
