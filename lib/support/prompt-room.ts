import { WindowExceeded } from '../errors.ts';
import type { LanguageModel, ModelEvent } from '../ports/language-model.ts';

/** The maximum number of tokens to keep free for an answer, and the share in a smaller window. */
const MAX_ANSWER = 4096;
const ANSWER_SHARE = 1 / 4;
/** The number of tokens that a server adds around the messages. */
const FRAME_TOKENS = 64;
/**
 * Below this number of tokens, which means a window of less than about 6,000 tokens, prompts are as short as
 * possible.
 */
const SHORT_ROOM = 4500;

/** The share of a model's window for a prompt, in tokens. */
export interface PromptRoom {
  /** Infinite if the window is unknown. The prompt then has its default size. */
  tokens: number;
  /** The size of the whole window. */
  contextTokens: number;
}

const UNKNOWN: PromptRoom = { tokens: Number.POSITIVE_INFINITY, contextTokens: Number.POSITIVE_INFINITY };

/** Returns the share of a model's window for the prompt. The rest is for the answer. */
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
 * Returns the room for one retry after a prompt was refused because of its length: half of it, or the limit
 * that the refusal states. Rethrows any other failure, and a refusal after which nothing is left to shorten.
 */
async function roomAfter(error: unknown, model: LanguageModel, room: PromptRoom): Promise<PromptRoom> {
  if (!(error instanceof WindowExceeded)) throw error;
  const { tokens, contextTokens } = await promptRoom(model);
  const shorter = Math.min(tokens, Math.floor(room.tokens / 2));
  if (!(shorter < room.tokens)) throw error;
  return { tokens: shorter, contextTokens };
}

/**
 * Asks with the model's room. If the prompt is refused because of its length, asks once more with half of it.
 */
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

/**
 * Streams an answer with the same retry as `askWithin`. This is possible because a server refuses a prompt
 * before the first event.
 */
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

/**
 * Yields a notice for the reader that the server truncated the prompt, with the number of tokens that it
 * read.
 */
export function promptCutText(promptTokens: number | null): string {
  const read = promptTokens === null ? 'only a part' : `only ${promptTokens.toLocaleString('en')} tokens`;
  return `The model server read ${read} of the prompt, so the model lacked rules and passages. Enlarge the context window on the server: OLLAMA_CONTEXT_LENGTH for Ollama, --ctx-size for llama.cpp, or the context length of the model in LM Studio. Then set the same size in the settings.`;
}
