import { ENDINGS, type Ending } from '../api-contract/answer-notices.ts';
import type { StreamPart } from '../api-contract/stream-part.ts';
import type { FinishReason } from '../ports/language-model.ts';

interface Words {
  /** The code of the notice about the ending. */
  code: string;
  text: string;
  chinese: string;
}

const WORDS: Record<Ending, Words> = {
  length: {
    code: 'answer-cut',
    text: 'The model reached its output limit before the end of its text.',
    chinese: '模型已达到输出上限，内容没有写完。',
  },
  filtered: {
    code: 'answer-filtered',
    text: 'A content filter of the model provider stopped the text.',
    chinese: '模型服务商的内容过滤中止了输出。',
  },
  empty: {
    code: 'answer-empty',
    text: 'The model ended without an answer. Ask again, or choose another model.',
    chinese: '模型没有给出回答。请重新提问或更换模型。',
  },
  repeats: {
    code: 'answer-repeats',
    text: 'The model repeated itself, so it was stopped.',
    chinese: '模型不断重复，因此已停止。',
  },
};

const ENDING_OF: Partial<Record<FinishReason, Ending>> = {
  length: 'length',
  'content-filter': 'filtered',
  repeats: 'repeats',
};

/**
 * Returns the ending of an incomplete answer; undefined for a complete one. An answer without words has the
 * ending `empty`, unless a filter removed the words.
 */
export function endingOf(reason: FinishReason, text: string): Ending | undefined {
  const ending = ENDING_OF[reason];
  if (ending === 'filtered' || reason === 'tool-calls') return ending;
  return text.trim() === '' ? 'empty' : ending;
}

/** Yields the notice for an ending; nothing for a complete answer. */
export function* endingNotice(ending: Ending | undefined): Iterable<StreamPart> {
  if (ending === undefined) return;
  const { code, text } = WORDS[ending];
  yield { type: 'data-notice', data: { code, text, ending } };
}

/** Returns the ending that a notice reports. The notice is part of a stream or of a stored message. */
export function readEnding(part: { type: string; data?: unknown }): Ending | undefined {
  if (part.type !== 'data-notice' || typeof part.data !== 'object' || part.data === null) return undefined;
  const { ending } = part.data as { ending?: unknown };
  return ENDINGS.find((each) => each === ending);
}

/** Returns the ending as a sentence for a text that the service stores, such as a note. */
export function endingText(ending: Ending, isChinese: boolean): string {
  return isChinese ? WORDS[ending].chinese : WORDS[ending].text;
}

/** Returns a text, followed by the sentence about its ending if it's incomplete. */
export function withEnding(text: string, ending: Ending | undefined, isChinese: boolean): string {
  return ending === undefined ? text : `${text}\n\n*${endingText(ending, isChinese)}*`;
}

/** Returns the ending as one of the AI SDK's reasons, because the SDK rejects others. */
export function finishReasonOf(reason: FinishReason): string {
  return reason === 'repeats' ? 'other' : reason;
}

/** Tells readers why nothing arrives, and for how long. The notice isn't stored. */
export function rateLimitNotice(seconds: number): StreamPart {
  const text = `The rate limit of the model provider is reached. Continuing in ${seconds} s.`;
  return { type: 'data-notice', transient: true, data: { code: 'waiting-for-rate-limit', text, seconds } };
}
