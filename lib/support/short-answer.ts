import type { LanguageModel, ModelRequest, Usage } from '../ports/language-model.ts';
import { isOnlyBlankNow } from '../validation/read-model-json.ts';

const SHORT = { maxOutputTokens: 4000, thinking: 'off', reader: 'whole' } as const;
/** Maximum characters: twice as many as these tokens have, because some models never stop. */
const MAX_CHARACTERS = 40_000;

/** The answer so far. It is kept after a failure, because it was sent and is billed. */
export interface ShortAnswer {
  text: string;
  /** Undefined until the answer has ended. */
  usage: Usage | undefined;
}

/** The number of times that a self-hosted server may be silent for its full patience. */
const OWN_SILENCES = 3;

/** Returns the time limit of a whole answer in milliseconds: `usualMs`, or more for a self-hosted server. */
export async function answerDeadline(model: LanguageModel, usualMs: number): Promise<number> {
  const { patienceMs = 0 } = (await model.ownServer?.()) ?? {};
  return Math.max(usualMs, OWN_SILENCES * patienceMs);
}

/**
 * Reads an answer of limited length, such as a judge's JSON, into `answer`. Throws `tooLong()`, and errors of
 * the model's stream.
 */
export async function readShortAnswer(
  model: LanguageModel,
  request: Pick<ModelRequest, 'system' | 'messages' | 'signal' | 'responseSchema'>,
  answer: ShortAnswer,
  tooLong: () => Error,
): Promise<void> {
  for await (const event of model.stream({ ...request, ...SHORT })) {
    if (event.type === 'finish') answer.usage = event.usage;
    if (event.type !== 'text') continue;
    if (answer.text.length + event.text.length > MAX_CHARACTERS) throw tooLong();
    answer.text += event.text;
    if (request.responseSchema !== undefined && isOnlyBlankNow(answer.text)) break;
  }
  answer.usage ??= { inputTokens: null, outputTokens: null };
}
