import { UpstreamFailed } from '../../errors.ts';

/** Milliseconds for which a provider may be silent within an answer. */
export const STALL_MS = 60_000;
/** Milliseconds for which a provider may send only pings and comments. */
const PAUSE_MS = 5 * 60_000;

export interface PatienceLimits {
  stallMs?: number;
  pauseMs?: number;
}

/** Aborts a provider's stream when the caller aborts, or after a long silence. */
export interface Patience {
  /** The signal for the provider's client. */
  signal: AbortSignal;
  /**
   * Returns a response with the same contents, in which every byte counts as progress, because the SDKs don't
   * expose pings and comments.
   */
  listen(response: Response): Response;
  /**
   * Yields the chunks as they arrive. Throws UpstreamFailed after a silence, and the reason of the caller's own abort.
   */
  watch<Piece>(pieces: AsyncIterable<Piece>): AsyncIterable<Piece>;
}

/**
 * Returns the timeouts of a stream. The SDKs' own timeouts cover only the headers, and to them, an aborted
 * stream looks complete. Only the wait for the provider counts, not the reader's time per chunk.
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
      silence = undefined; // refreshing the timer would start it again
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
