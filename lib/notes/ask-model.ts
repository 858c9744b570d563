import { UpstreamFailed } from '../errors.ts';
import type { LanguageModel, ModelRequest } from '../ports/language-model.ts';
import { providerName } from '../text/vendor-names.ts';

/** Returns the complete text of an answer. Throws UpstreamFailed, also for an empty answer. */
export async function askModel(model: LanguageModel, request: ModelRequest): Promise<string> {
  let text = '';
  try {
    for await (const event of model.stream({ ...request, reader: 'whole' })) if (event.type === 'text') text += event.text;
  } catch (error) {
    if (request.signal?.aborted && isTimeout(request.signal.reason))
      throw new UpstreamFailed('model_timeout', `${providerName(model.provider)} took too long. Try again.`, {
        cause: error,
      });
    throw error;
  }
  if (text.trim() === '')
    throw new UpstreamFailed(
      'model_answer_unusable',
      `${providerName(model.provider)} returned no text. Try again.`,
    );
  return text.trim();
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}
