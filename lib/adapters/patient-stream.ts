import { UpstreamFailed } from '../errors.ts';

/** How long a provider may be silent within an answer. */
export const STALL_MS = 60_000;

/** Aborts a provider's stream when the caller wants it to stop, or when nothing has come for too long. */
export interface Patience {
  /** Goes to the provider's client. */
  signal: AbortSignal;
  /** The pieces, as they come. Throws UpstreamFailed after a silence; the caller's own abort is thrown as its reason. */
  watch<Piece>(pieces: AsyncIterable<Piece>): AsyncIterable<Piece>;
}

/**
 * The SDKs' own timeouts cover the headers only, and an aborted stream ends as if it were complete: both are told apart
 * here. Only the wait for the provider counts, not the time that the reader takes with a piece.
 */
export function patience(who: string, stallMs: number, outer?: AbortSignal): Patience {
  const controller = new AbortController();
  const signal = outer === undefined ? controller.signal : AbortSignal.any([outer, controller.signal]);
  const next = async <Piece>(iterator: AsyncIterator<Piece>) => {
    const timer = setTimeout(() => controller.abort(), stallMs);
    try {
      return await iterator.next();
    } finally {
      clearTimeout(timer);
    }
  };
  const complain = () => {
    outer?.throwIfAborted();
    if (controller.signal.aborted) throw new UpstreamFailed(`${who} stopped in the middle of its answer`);
  };
  return {
    signal,
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
