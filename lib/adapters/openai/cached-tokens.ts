import type { ModelRequest } from '../../ports/language-model.ts';
import { leastTokens } from '../../text/count-tokens.ts';
import { promptText } from '../outbound/known-window.ts';
import type { Piece } from './read-completion.ts';

type CachedUsage = Piece['usage'] & { prompt_tokens_details?: { cached_tokens?: unknown } | null };

/**
 * Yields the same chunks, with usage that counts the whole prompt, because some servers count only tokens that weren't
 * in their cache.
 */
export async function* withCachedTokens(
  pieces: AsyncIterable<Piece>,
  request: ModelRequest,
): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    const whole = wholePrompt(piece, request);
    yield whole === undefined ? piece : { ...piece, usage: { ...piece.usage, prompt_tokens: whole } };
  }
}

/**
 * Returns the number of tokens of the whole prompt; undefined if the reported number is high enough, because
 * it then includes the cached ones. Some servers also send `null` as a chunk.
 */
function wholePrompt(piece: Piece | null, request: ModelRequest): number | undefined {
  const usage = piece?.usage;
  const read = usage?.prompt_tokens;
  const cached = (usage as CachedUsage | null | undefined)?.prompt_tokens_details?.cached_tokens;
  if (typeof read !== 'number' || typeof cached !== 'number' || !(cached > 0)) return undefined;
  return read < leastTokens(promptText(request)) ? read + cached : undefined;
}
