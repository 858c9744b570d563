import { UpstreamFailed } from '../errors.ts';
import type { LanguageModel, ModelRequest } from '../ports/language-model.ts';

/** The whole text of an answer. Throws UpstreamFailed, also when there is none. */
export async function askModel(model: LanguageModel, request: ModelRequest): Promise<string> {
  let text = '';
  try {
    for await (const event of model.stream(request)) if (event.type === 'text') text += event.text;
  } catch (error) {
    if (request.signal?.aborted && isTimeout(request.signal.reason))
      throw new UpstreamFailed('upstream_failed', `provider ${model.provider} took too long`, {
        cause: error,
      });
    throw error;
  }
  if (text.trim() === '')
    throw new UpstreamFailed('upstream_failed', `provider ${model.provider} gave no text`);
  return text.trim();
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}
