import { isChinese } from '../../notes/chinese.ts';
import type { Counts } from '../schema.ts';

/** Texts that the service itself writes into a report. */
export interface ResearchMessages {
  unsupported: string;
  disagree: string;
  saysOtherwise: string;
  openQuestions: string;
  leftOut: string;
  sources: string;
  quotes: string;
  back: string;
  notFound: string;
  license: string;
  /** For a note. */
  shortened: string;
  counts(counts: Counts): string;
  /** Between two sentences. */
  space: string;
}

const ENGLISH: ResearchMessages = {
  unsupported: 'not supported by its sources',
  disagree: 'Conflicting sources',
  saysOtherwise: 'but',
  openQuestions: 'Open questions',
  leftOut: 'Reviewed but not used',
  sources: 'Sources',
  quotes: 'Quotes',
  back: 'Back to the text',
  notFound: 'not found there',
  license: 'license',
  shortened: 'This note has no room for the whole report. Export the report to read all of it.',
  counts: ({ sentences, supported, marked, dropped }) =>
    `Sentences written: ${sentences}; supported by their quotes: ${supported}; flagged: ${marked}; dropped: ${dropped}.`,
  space: ' ',
};

const CHINESE: ResearchMessages = {
  unsupported: '来源不支持此句',
  disagree: '相互矛盾的来源',
  saysOtherwise: '但是',
  openQuestions: '尚待回答的问题',
  leftOut: '未采用的来源',
  sources: '来源',
  quotes: '引文',
  back: '返回正文',
  notFound: '未在该处找到',
  license: '许可协议',
  shortened: '笔记容纳不下整份报告，完整内容见其导出文件。',
  counts: ({ sentences, supported, marked, dropped }) =>
    `共写 ${sentences} 句；有引文支持 ${supported} 句，存疑 ${marked} 句，删去 ${dropped} 句。`,
  space: '',
};

export function researchMessages(language: string): ResearchMessages {
  return isChinese(language) ? CHINESE : ENGLISH;
}
