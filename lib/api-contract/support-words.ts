import type { Decider } from './findings.ts';
import type { Support } from './support.ts';

/**
 * The states of sentences and citations as people see them, in the console and in messages, notes, and
 * exports.
 */
export const SUPPORT_WORDS: Record<'en' | 'zh', Record<Support, string>> = {
  en: {
    full: 'Supported',
    partial: 'Not in the source',
    none: 'Not in the source',
    contradicted: 'Contradicted',
    unjudged: 'Facts found',
  },
  zh: {
    full: '支持',
    partial: '来源中没有',
    none: '来源中没有',
    contradicted: '与来源矛盾',
    unjudged: '事实已找到',
  },
};

/** The console's term for what decided on the state: code or the model. */
export const JUDGE_WORDS: Record<'en' | 'zh', Record<Decider, string>> = {
  en: {
    code: 'Checked by code.',
    nli: 'A local model judged this.',
    model: 'An AI model judged this.',
  },
  zh: { code: '由代码比对。', nli: '由本地模型判断。', model: '由 AI 模型判断。' },
};

/** The label of the filter for sentences that may have errors. */
export const POSSIBLE_ERRORS: Record<'en' | 'zh', string> = { en: 'Possible errors', zh: '可能有误' };

/** Returns a sentence that says why a judge, or a run, stopped early. The API's text has no subject. */
export function sayEnded(ended: string, subject: 'The judge' | 'The run' = 'The judge'): string {
  return `${subject} ${ended.replace(/\.$/, '')}.`;
}
