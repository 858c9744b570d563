import type { Ending } from '../api-contract/answer-notices.ts';
import { UpstreamFailed } from '../errors.ts';
import type { FinishReason, LanguageModel, ModelEvent, ModelRequest } from '../ports/language-model.ts';
import { providerName } from '../text/vendor-names.ts';
import { endingOf } from '../ui-messages/answer-ending.ts';

export interface WrittenText {
  text: string;
  /** Undefined for a complete text. */
  ending: Ending | undefined;
}

/** Returns an answer's text, and how it ended. Throws UpstreamFailed, also for an empty answer. */
export async function askModel(
  model: LanguageModel,
  request: ModelRequest,
  onFinish?: (finish: Extract<ModelEvent, { type: 'finish' }>) => void,
): Promise<WrittenText> {
  let text = '';
  let reason: FinishReason = 'other';
  try {
    for await (const event of model.stream({ ...request, reader: 'whole' })) {
      if (event.type === 'text') text += event.text;
      if (event.type !== 'finish') continue;
      reason = event.reason;
      onFinish?.(event);
    }
  } catch (error) {
    if (!isTimeout(request.signal)) throw error;
    throw new UpstreamFailed('model_timeout', `${providerName(model.provider)} took too long. Try again.`, {
      cause: error,
    });
  }
  if (text.trim() === '')
    throw new UpstreamFailed(
      'model_answer_unusable',
      `${providerName(model.provider)} returned no text${WHY[reason] ?? ''}. Try again.`,
    );
  return { text: text.trim(), ending: endingOf(reason, text) };
}

const WHY: Partial<Record<FinishReason, string>> = {
  length: ', because it reached its output limit',
  'content-filter': ', because of its content filter',
};

function isTimeout(signal: AbortSignal | undefined): boolean {
  return signal?.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
}
