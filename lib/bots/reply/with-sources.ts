import { type Citation, citationsIn, isUnsupported } from '../../api-contract/citation.ts';
import { hasLines } from '../../api-contract/file-kinds.ts';
import { asCode } from '../../api-contract/inline-code.ts';
import { partLabel } from '../../api-contract/part-label.ts';
import { lineWords, supportRemark } from '../../api-contract/source-list.ts';
import { isMostlyChinese } from '../../notes/chinese.ts';

/** The maximum number of listed sources. A chat message is short, and the console shows all sources. */
const MAX_SOURCES = 12;

/**
 * Returns the text of an answer, followed by its cited sources in the same language, one line each, without
 * quotes.
 */
export function withSources(text: string, citations: readonly Citation[]): string {
  const found = citations.filter(({ sentences = [] }) => sentences.some((each) => text.includes(each.text)));
  const cited = [...citationsIn(text, citations), ...found];
  if (cited.length === 0) return text;
  const isChinese = isMostlyChinese(text);
  const lines = cited.slice(0, MAX_SOURCES).map((each) => (isChinese ? chineseLine(each) : line(each)));
  const hidden = cited.length - lines.length;
  if (hidden > 0) lines.push(isChinese ? `… 另有 ${hidden} 个来源` : `… and ${hidden} more`);
  return `${text.trimEnd()}\n\n${isChinese ? '来源：' : 'Sources:'}\n${lines.join('\n')}`;
}

function line(citation: Citation): string {
  const { index, path, startLine, endLine } = citation;
  const lines = hasLines(path) && lineWords(startLine, endLine);
  const where = [asCode(path), partLabel(citation), lines].filter(Boolean).join(', ');
  return `[${index}] ${where} (${supportRemark(citation)})`;
}

function chineseLine(citation: Citation): string {
  const { index, path, startLine, endLine } = citation;
  const lines = startLine === endLine ? `第 ${startLine} 行` : `第 ${startLine}–${endLine} 行`;
  const where = [asCode(path), partLabel(citation), hasLines(path) && lines].filter(Boolean).join('，');
  return `[${index}] ${where}（${chineseRemark(citation)}）`;
}

function chineseRemark({ quote, support = 'unjudged', origin }: Citation): string {
  if (quote === '') return '未找到引文';
  if (isUnsupported(support)) return '不支持';
  const state = { full: '支持', partial: '部分支持', unjudged: '已找到引文，未判断' }[support];
  return origin === 'service' ? `${state}，由服务找到` : state;
}
