import type { Support } from './citation.ts';

/** The states of sentences and citations as people read them, in the console and in everything that is sent or saved. */
export const SUPPORT_WORDS: Record<'en' | 'zh', Record<Support, string>> = {
  en: {
    full: 'Supported',
    partial: 'Partly supported',
    none: 'Not supported',
    contradicted: 'Not supported',
    unjudged: 'Quote found, not judged',
  },
  zh: {
    full: '支持',
    partial: '部分支持',
    none: '不支持',
    contradicted: '不支持',
    unjudged: '已找到引文，未判断',
  },
};

/** The judge of the state: of a model, as the console says it. */
export const JUDGE_WORDS: Record<'en' | 'zh', Record<'code' | 'model', string>> = {
  en: { code: 'Checked by code.', model: 'An AI model judged this.' },
  zh: { code: '由代码比对。', model: '由 AI 模型判断。' },
};

/** What joins the sentences that someone who looks for errors reads first. */
export const POSSIBLE_ERRORS: Record<'en' | 'zh', string> = { en: 'Possible errors', zh: '可能有误' };
