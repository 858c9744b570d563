import { setTimeout as pause } from 'node:timers/promises';
import type { StreamPart } from '../api-contract/stream-part.ts';
import type { Clock } from '../ports/clock.ts';
import { StreamCut } from '../ui-messages/error-parts.ts';
import { beginReading, endReading, type LiveSession, type SessionReader, takePiece } from './live-session.ts';

/**
 * Returns the number from which a stream of this session continues. If the next event is no longer kept, it
 * is a later one.
 */
export function resumePoint({ output }: LiveSession, after: number): number {
  const next = output.after(Math.min(after, output.last()));
  return next === undefined ? output.last() : next.number - 1;
}

/**
 * Yields the output after a number until the session has ended. Throws StreamCut when the time is up, or when
 * the reader is so slow that output was lost. The reader then resumes with the output that is left.
 */
export async function* followSession(
  clock: Clock,
  session: LiveSession,
  { after, signal, timeLeftMs }: { after: number; signal: AbortSignal; timeLeftMs: number },
): AsyncGenerator<StreamPart> {
  const until = clock.now() + timeLeftMs;
  const reader = beginReading(session, after);
  try {
    while (!signal.aborted && clock.now() < until) {
      yield* piecesOf(session, reader);
      if (session.ended !== undefined) return yield endPart(session.ended);
      await changeOf(session, signal, until - clock.now());
    }
    throw new StreamCut();
  } finally {
    endReading(session, reader);
    session.usedAt = clock.now();
  }
}

function* piecesOf(session: LiveSession, reader: SessionReader): Generator<StreamPart> {
  for (;;) {
    const expected = reader.at + 1;
    const piece = takePiece(session, reader);
    if (piece === undefined) return;
    if (piece.number !== expected) throw new StreamCut();
    yield { type: 'data-terminal', data: { text: piece.text } };
  }
}

function endPart({ reason, exitCode }: NonNullable<LiveSession['ended']>): StreamPart {
  return { type: 'data-terminal-end', data: { reason, exitCode } };
}

/** Waits until the session changes, the reader leaves, or the time is up. */
async function changeOf({ changed }: LiveSession, signal: AbortSignal, leftMs: number): Promise<void> {
  const done = new AbortController();
  const waiting = AbortSignal.any([signal, done.signal]);
  const timeUp = pause(Math.max(0, leftMs), undefined, { signal: waiting, ref: false }).catch(() => {});
  await Promise.race([changed.promise, timeUp]);
  done.abort();
}
