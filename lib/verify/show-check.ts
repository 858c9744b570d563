import { partLabel } from '../api-contract/part-label.ts';
import { pathWithLines } from '../api-contract/shown-place.ts';
import { escapeProse } from '../markdown/code.ts';
import { isMostlyChinese } from '../notes/chinese.ts';
import { placeInMarkdown, quoteBlock } from '../passages/footnote.ts';
import type { CheckedSentence, DraftCheck } from './request-schema.ts';
import type { DraftCitation, VerdictName } from './schema.ts';

const LABELS: Record<'en' | 'zh', Record<VerdictName, string>> = {
  en: {
    supported: 'Supported',
    partial: 'Partly supported',
    contradicted: 'Contradicted',
    not_found: 'Not found',
    no_claim: 'No claim',
  },
  zh: {
    supported: '有依据',
    partial: '部分有依据',
    contradicted: '与来源矛盾',
    not_found: '未找到依据',
    no_claim: '无需依据',
  },
};
/** Whether a text begins like the Markdown or JSON of an exported check: it repeats its draft. */
export function isExportedCheck(text: string): boolean {
  const beginning = text.slice(0, 2000);
  const isMarkdown = Object.values(LABELS).some((labels) =>
    Object.values(labels).every((label) => beginning.includes(`| ${label} | `)),
  );
  return isMarkdown || (/^\s*\{\s*"runId"/.test(beginning) && beginning.includes('"not_found":'));
}

/** What an author has to look at comes first. */
const ORDER: VerdictName[] = ['contradicted', 'not_found', 'partial', 'supported'];

function labelsFor(draft: string) {
  return LABELS[isMostlyChinese(draft) ? 'zh' : 'en'];
}

/** Returns a check in Markdown: the claims by their verdicts, with quotes. Text of the draft or a source can't end its element. */
export function toCheckMarkdown({ name, text, counts, sentences, ended }: DraftCheck): string {
  const labels = labelsFor(text);
  const rows = [...ORDER, 'no_claim' as const].map(
    (verdict) => `| ${labels[verdict]} | ${counts[verdict]} |`,
  );
  const sections = ORDER.flatMap((verdict) => {
    const own = sentences.filter((sentence) => sentence.verdict === verdict);
    return own.length === 0 ? [] : [`## ${labels[verdict]}`, ...own.flatMap(showSentence)];
  });
  return `${[
    `# ${escapeProse(name)}`,
    ['| | |', '|---|---|', ...rows].join('\n'),
    ...(ended === null ? [] : [escapeProse(ended)]),
    ...sections,
  ].join('\n\n')}\n`;
}

function showSentence({ n, text, reason, citations }: CheckedSentence): string[] {
  const quotes = citations.map(
    (citation) => `- ${placeInMarkdown(citation)}\n\n${quoteBlock(citation.quote)}`,
  );
  return [
    `**${n}.** ${escapeProse(text)}`,
    ...(reason === '' ? [] : [`*${escapeProse(reason)}*`]),
    ...quotes,
  ];
}

/** Returns the Word comment on a sentence. */
export function commentOf({ verdict, reason, citations }: CheckedSentence, draft: string): string {
  const quotes = citations.map((citation) => `${placeOf(citation)}: “${citation.quote}”`);
  return [`${labelsFor(draft)[verdict]}. ${reason}`, ...quotes].join('\n');
}

function placeOf(citation: DraftCitation): string {
  return [pathWithLines(citation), partLabel(citation)].filter(Boolean).join(', ');
}
