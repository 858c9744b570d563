import { sayEnded } from '../api-contract/support-words.ts';
import chinese from '../error-messages/zh-CN.json' with { type: 'json' };
import { isRunOver } from '../runs/schema.ts';
import { pluralize } from '../text/pluralize.ts';
import type { DraftCheck } from './request-schema.ts';
import type { JudgeError } from './schema.ts';

type Noticed = Pick<DraftCheck, 'status' | 'error' | 'ended' | 'judgeError' | 'counts'>;

type Counts = Pick<DraftCheck['counts'], 'checked' | 'claims'>;

const ENDED: Partial<Record<string, string>> = { stopped: 'was stopped', failed: 'failed' };
const ENDED_ZH: Partial<Record<string, string>> = { stopped: '已停止', failed: '失败' };

const TEXTS = {
  en: {
    unread: "The draft wasn't read.",
    cut: (status: string, { checked, claims }: Counts) =>
      `This check ${ENDED[status] ?? 'ended'} after ${checked} of ${pluralize(claims, 'claim')}. The others weren't checked.`,
    unjudged: (sentences: number) =>
      `The model failed to judge ${pluralize(sentences, 'sentence')}. Code checked them.`,
    ended: 'The model stopped judging early. Code checked the other claims.',
  },
  zh: {
    unread: '稿件未读取。',
    cut: (status: string, { checked, claims }: Counts) =>
      `此次核查${ENDED_ZH[status] ?? '已结束'}，只核查了 ${claims} 条论断中的 ${checked} 条，其余未核查。`,
    unjudged: (sentences: number) => `模型未能判断 ${sentences} 句，由代码比对。`,
    ended: '模型提前停止判断，其余论断由代码比对。',
  },
};

/** Returns the first notice for a reader of an export: that the check is incomplete, or that its judge failed. */
export function noticesOf(check: Noticed, language: 'en' | 'zh'): string[] {
  const { status, error, ended, judgeError, counts } = check;
  const texts = TEXTS[language];
  return [
    ...(isCut(check) ? [counts.sentences === 0 ? texts.unread : texts.cut(status, counts), error ?? ''] : []),
    ...(judgeError === null ? [] : [texts.unjudged(judgeError.sentences), messageOf(judgeError, language)]),
    ...(ended === null ? [] : [texts.ended, sayEnded(ended)]),
  ].filter((text) => text !== '');
}

function messageOf({ code, message }: JudgeError, language: 'en' | 'zh'): string {
  return (language === 'zh' && (chinese as Partial<Record<string, string>>)[code]) || message;
}

/** Returns whether the check ended before its last claim, or before its draft was read. */
function isCut({ status, counts }: Noticed): boolean {
  return isRunOver(status) && (counts.checked < counts.claims || counts.sentences === 0);
}
