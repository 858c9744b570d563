import { UpstreamFailed } from '../../errors.ts';

/** How long a provider may be silent within an answer. */
export const STALL_MS = 60_000;
/** How long it may show only that it still lives: pings and comments, but no piece of the answer. */
const PAUSE_MS = 5 * 60_000;

export interface PatienceLimits {
  stallMs?: number;
  pauseMs?: number;
}

/** Aborts a provider's stream when the caller wants it to stop, or when nothing has come for too long. */
export interface Patience {
  /** Goes to the provider's client. */
  signal: AbortSignal;
  /** The same answer, whose every byte counts as a sign of life: the SDKs keep pings and comments to themselves. */
  listen(response: Response): Response;
  /** The pieces, as they come. Throws UpstreamFailed after a silence; the caller's own abort is thrown as its reason. */
  watch<Piece>(pieces: AsyncIterable<Piece>): AsyncIterable<Piece>;
}

/**
 * The SDKs' own timeouts cover the headers only, and an aborted stream ends as if it were complete: this distinguishes
 * the two. Only the wait for the provider counts, not the time that the reader takes with a piece.
 */
export function patience(
  who: string,
  { stallMs = STALL_MS, pauseMs = PAUSE_MS }: PatienceLimits,
  outer?: AbortSignal,
): Patience {
  const controller = new AbortController();
  const signal = outer === undefined ? controller.signal : AbortSignal.any([outer, controller.signal]);
  let silence: NodeJS.Timeout | undefined;
  const next = async <Piece>(iterator: AsyncIterator<Piece>) => {
    const pause = setTimeout(() => controller.abort(), pauseMs);
    silence = setTimeout(() => controller.abort(), stallMs);
    try {
      return await iterator.next();
    } finally {
      clearTimeout(pause);
      clearTimeout(silence);
      silence = undefined; // to refresh it would start it again
    }
  };
  const complain = () => {
    outer?.throwIfAborted();
    if (controller.signal.aborted)
      throw new UpstreamFailed('model_interrupted', `${who} stopped in the middle of its answer. Try again.`);
  };
  return {
    signal,
    listen: (response) => tap(response, signal, () => silence?.refresh()),
    async *watch(pieces) {
      const iterator = pieces[Symbol.asyncIterator]();
      try {
        for (;;) {
          const piece = await next(iterator);
          if (piece.done) return complain();
          yield piece.value;
        }
      } catch (error) {
        complain();
        throw error;
      } finally {
        await iterator.return?.();
      }
    },
  };
}

function tap(response: Response, signal: AbortSignal, onBytes: () => void): Response {
  const listener = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      onBytes();
      controller.enqueue(bytes);
    },
  });
  return new Response(response.body?.pipeThrough(listener, { signal }), response);
}
