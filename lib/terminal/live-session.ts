import type { Caller } from '../access/caller.ts';
import type { Terminal } from '../ports/terminals.ts';
import { type Scrollback, scrollback } from './scrollback.ts';

/** Why a session ended, as clients show it. */
export type SessionEnd = 'exited' | 'closed' | 'idle' | 'lifetime' | 'rights_lost' | 'lost';

/** A session in the memory of this process. */
export interface LiveSession {
  id: string;
  workspaceId: string;
  rootPath: string;
  caller: Caller;
  startedAt: number;
  /** The time of the last input or output, or when a reader last read. */
  usedAt: number;
  output: Scrollback;
  readers: Set<SessionReader>;
  terminal: Terminal | undefined;
  /** Number of the last piece that was reported to the terminal as read. */
  countedAsRead: number;
  /** Why it is being ended, as long as its processes still exist. */
  ending?: SessionEnd;
  ended?: { reason: SessionEnd; exitCode: number | null; at: number };
  /** Resolves when there is output, or the session has ended. */
  changed: PromiseWithResolvers<void>;
}

export interface SessionReader {
  /** Number of the last piece that this reader took. */
  at: number;
}

export function liveSession(
  known: Pick<LiveSession, 'id' | 'workspaceId' | 'rootPath' | 'caller' | 'startedAt'>,
): LiveSession {
  return {
    ...known,
    usedAt: known.startedAt,
    output: scrollback(),
    readers: new Set(),
    terminal: undefined,
    countedAsRead: 0,
    changed: Promise.withResolvers(),
  };
}

/** Wakes everyone who waits for the session. */
export function announce(session: LiveSession): void {
  session.changed.resolve();
  session.changed = Promise.withResolvers();
}

/**
 * Stores output. Without a reader, it counts as read, so that a long command continues while its page is
 * closed.
 */
export function addOutput(session: LiveSession, text: string): void {
  session.output.add(text);
  if (session.readers.size === 0) countRead(session, session.output.last());
  announce(session);
}

/** Begins to read after a number. */
export function beginReading(session: LiveSession, at: number): SessionReader {
  const reader = { at };
  session.readers.add(reader);
  return reader;
}

/** Takes the next piece. The terminal continues at the speed of the reader that is furthest ahead. */
export function takePiece(session: LiveSession, reader: SessionReader) {
  const piece = session.output.after(reader.at);
  if (piece === undefined) return undefined;
  reader.at = piece.number;
  countRead(session, piece.number);
  return piece;
}

/** Ends reading. Without another reader, all output counts as read. */
export function endReading(session: LiveSession, reader: SessionReader): void {
  session.readers.delete(reader);
  if (session.readers.size === 0) countRead(session, session.output.last());
}

function countRead(session: LiveSession, upTo: number): void {
  if (upTo <= session.countedAsRead) return;
  session.terminal?.read(session.output.lengthBetween(session.countedAsRead, upTo));
  session.countedAsRead = upTo;
}
