import { sentenceCounts } from '../../api-contract/report-places.ts';
import { isChinese } from '../../notes/chinese.ts';
import type { Counts } from '../schema.ts';

/** Texts that the service itself writes into a report. */
export interface ResearchMessages {
  unsupported: string;
  disagree: string;
  saysOtherwise: string;
  openQuestions: string;
  /** Shown for a question with evidence if no sentence is supported by its quotes. */
  allRemoved: string;
  leftOut: string;
  uncited: string;
  sources: string;
  quotes: string;
  back: string;
  notFound: string;
  license: string;
  /** The remark in a shortened note. */
  shortened: string;
  counts(counts: Counts): string;
  pages(pages: number[]): string;
  /** The numbers of the quotes from a source. */
  notes(numbers: number[]): string;
  /** The space between two sentences. */
  space: string;
}

const ENGLISH: ResearchMessages = {
  unsupported: 'not supported by its sources',
  disagree: 'Conflicting sources',
  saysOtherwise: 'but',
  openQuestions: 'Open questions',
  allRemoved: ' (Evidence was found, but the sentences about it were removed as unsupported.)',
  leftOut: 'Not used',
  uncited: 'A quote from it was found, but no sentence cites it.',
  sources: 'Sources',
  quotes: 'Quotes',
  back: 'Back to the text',
  notFound: 'not found there',
  license: 'license',
  shortened: 'This note has no room for the whole report. Export the report to read all of it.',
  counts: (counts) => {
    const { supported, stated, marked, plain, dropped, judged } = sentenceCounts(counts);
    return [
      judged
        ? `${supported} of ${stated} ${stated === 1 ? 'sentence is' : 'sentences are'} supported by a quote.`
        : `${supported} of ${stated} ${stated === 1 ? 'sentence has' : 'sentences have'} a quote. Code found no wrong number, date, or name in them. No model judged them.`,
      marked > 0 && `Flagged: ${marked}.`,
      plain > 0 && `Without a claim: ${plain}.`,
      dropped > 0 && `Removed as unsupported: ${dropped}.`,
    ]
      .filter((part) => part !== false)
      .join(' ');
  },
  pages: (pages) => `${pages.length === 1 ? 'page' : 'pages'} ${pages.join(', ')}`,
  notes: (numbers) => `${numbers.length === 1 ? 'note' : 'notes'} ${numbers.join(', ')}`,
  space: ' ',
};

const CHINESE: ResearchMessages = {
  unsupported: '来源不支持此句',
  disagree: '相互矛盾的来源',
  saysOtherwise: '但是',
  openQuestions: '尚待回答的问题',
  allRemoved: '（已找到证据，但相关句子因无依据被删去。）',
  leftOut: '未采用的来源',
  uncited: '找到了其中的引文，但没有句子引用它。',
  sources: '来源',
  quotes: '引文',
  back: '返回正文',
  notFound: '未在该处找到',
  license: '许可协议',
  shortened: '笔记容纳不下整份报告，完整内容见其导出文件。',
  counts: (counts) => {
    const { supported, stated, marked, plain, dropped, judged } = sentenceCounts(counts);
    return [
      judged
        ? `${stated} 句中有 ${supported} 句有引文支持。`
        : `${stated} 句中有 ${supported} 句有引文。程序未发现其中有错误的数字、日期或名称。没有模型评判过。`,
      marked > 0 && `存疑 ${marked} 句。`,
      plain > 0 && `不含论断 ${plain} 句。`,
      dropped > 0 && `因无依据删去 ${dropped} 句。`,
    ]
      .filter((part) => part !== false)
      .join('');
  },
  pages: (pages) => `第 ${pages.join('、')} 页`,
  notes: (numbers) => `注 ${numbers.join('、')}`,
  space: '',
};

export function researchMessages(language: string): ResearchMessages {
  return isChinese(language) ? CHINESE : ENGLISH;
}
