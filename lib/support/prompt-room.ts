import { WindowExceeded } from '../errors.ts';
import type { LanguageModel, ModelEvent } from '../ports/language-model.ts';

/** The most that is kept free for an answer, and its share of a smaller window. */
const MAX_ANSWER = 4096;
const ANSWER_SHARE = 1 / 4;
/** The tokens that a server puts around the messages. */
const FRAME_TOKENS = 64;
/** A prompt with less room is written as shortly as possible: for windows of less than about 6,000 tokens. */
const SHORT_ROOM = 4500;

/** What a prompt may have of a model's window, in tokens. */
export interface PromptRoom {
  /** Infinite where the window isn't known: the prompt has its usual size then. */
  tokens: number;
  /** The whole window. */
  contextTokens: number;
}

const UNKNOWN: PromptRoom = { tokens: Number.POSITIVE_INFINITY, contextTokens: Number.POSITIVE_INFINITY };

/** Divides a model's window: the rest is for the answer. */
export async function promptRoom(model: LanguageModel): Promise<PromptRoom> {
  const window = await model.readWindow?.();
  if (window === undefined) return UNKNOWN;
  const { contextTokens } = window;
  const answer = Math.min(MAX_ANSWER, Math.floor(contextTokens * ANSWER_SHARE));
  return { tokens: contextTokens - answer - FRAME_TOKENS, contextTokens };
}

export function isShort({ tokens }: PromptRoom): boolean {
  return tokens < SHORT_ROOM;
}

/**
 * Returns the room for one more try after a refusal for length: half of it, or what the refusal told of the window. Throws any other failure,
 * and a refusal that leaves nothing to shorten.
 */
async function roomAfter(error: unknown, model: LanguageModel, room: PromptRoom): Promise<PromptRoom> {
  if (!(error instanceof WindowExceeded)) throw error;
  const { tokens, contextTokens } = await promptRoom(model);
  const shorter = Math.min(tokens, Math.floor(room.tokens / 2));
  if (!(shorter < room.tokens)) throw error;
  return { tokens: shorter, contextTokens };
}

/** Asks with the room of the model, and once more with half of it if the prompt is refused for its length. */
export async function askWithin<Answer>(
  model: LanguageModel,
  ask: (room: PromptRoom) => Promise<Answer>,
): Promise<Answer> {
  const room = await promptRoom(model);
  try {
    return await ask(room);
  } catch (error) {
    return ask(await roomAfter(error, model, room));
  }
}

/** Streams an answer as `askWithin` asks: a prompt that is refused for its length is refused before the first event. */
export async function* streamWithin(
  model: LanguageModel,
  room: PromptRoom,
  ask: (room: PromptRoom) => AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent> {
  let hasBegun = false;
  let next: PromptRoom;
  try {
    for await (const event of ask(room)) {
      hasBegun ||= event.type !== 'waiting' && event.type !== 'rate-limited';
      yield event;
    }
    return;
  } catch (error) {
    if (hasBegun) throw error;
    next = await roomAfter(error, model, room);
  }
  yield* ask(next);
}

/** For the reader of an answer whose prompt the server cut, by the tokens that it read. */
export function promptCutText(promptTokens: number | null): string {
  const read = promptTokens === null ? 'only a part' : `only ${promptTokens.toLocaleString('en')} tokens`;
  return `The model server read ${read} of the prompt, so the model lacked rules and passages. Enlarge the context window on the server: OLLAMA_CONTEXT_LENGTH for Ollama, --ctx-size for llama.cpp, or the context length of the model in LM Studio. Then set the same size in the settings.`;
}
