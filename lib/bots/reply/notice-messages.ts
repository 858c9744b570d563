import { isMostlyChinese } from '../../notes/chinese.ts';
import { endingText } from '../../ui-messages/answer-ending.ts';
import { turnsOf } from '../inbox/read-message.ts';
import type { ActiveRun } from '../schema.ts';
import type { RunStory } from './run-story.ts';

/**
 * Chinese messages by code: the whole message, or the part before its details (an amount, a file, a server).
 */
const CHINESE: Record<string, (text: string) => string> = {
  'index-building': () => '仍在建立索引，可能缺少部分文件。',
  'index-empty': () => '没有已索引的文件，回答没有文件依据。',
  'search-by-words': (text) => `仅使用了关键词搜索：${text}`,
  'no-progress': () =>
    '模型没有进展：最近几步重复了同样的调用，或调用无法执行。请换一种说法，或选择其他模型。',
  'no-tool-calls': () => '模型没有调用任何工具：没有读取或更改工作区中的任何内容，以上只是模型的文字。',
  'nothing-near': () => '文件中没有与问题相近的内容。',
  'file-not-indexed': (text) => `有文件不在索引中：${text}`,
  'budget-near': (text) => `本月预算即将用完：${text}`,
  'answer-cut': () => endingText('length', true),
  'answer-filtered': () => endingText('filtered', true),
  'answer-empty': () => endingText('empty', true),
  'answer-repeats': () => endingText('repeats', true),
  'passages-left-out': (text) => `部分段落超出模型的上下文窗口：${text}`,
  'prompt-cut': (text) => `模型服务器只读取了部分提示词：${text}`,
  'mcp-server': (text) => `MCP 服务器有问题：${text}`,
};

/** Returns the notices of an answer in the language of the question. */
export function noticesFor(
  active: Pick<ActiveRun, 'runId' | 'message' | 'reading'>,
  { notices }: RunStory,
): string[] {
  const asked = turnsOf(active).at(-1)?.text ?? '';
  const isChinese = isMostlyChinese(asked);
  return notices.map(({ code, text }) => {
    const say = isChinese && Object.hasOwn(CHINESE, code) ? CHINESE[code] : undefined;
    return say?.(text) ?? text;
  });
}
