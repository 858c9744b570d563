import { MAX_UNREAD } from '../../../ports/terminals.ts';

/** Characters per piece, and milliseconds between pieces: at most 4 MB per second. */
const MAX_PIECE = 32_768;
const PAUSE_MS = 8;

/** The source of a terminal's output, which can be paused. */
interface Tap {
  pause(): void;
  resume(): void;
}

/**
 * Passes output on in a few large pieces. Pauses the source while too much output waits, because the reader
 * is slow or there is more than a person can read.
 */
export function boundedOutput(tap: Tap, pass: (text: string) => void) {
  let waiting = '';
  let unread = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    const piece = waiting.slice(0, Math.min(MAX_PIECE, Math.max(0, MAX_UNREAD - unread)));
    if (piece === '') return;
    waiting = waiting.slice(piece.length);
    unread += piece.length;
    pass(piece);
    if (waiting.length < MAX_PIECE) tap.resume();
    timer = setTimeout(flush, PAUSE_MS);
  };
  return {
    add(text: string) {
      waiting += text;
      if (waiting.length >= MAX_PIECE) tap.pause();
      if (timer === undefined) flush();
    },
    read(characters: number) {
      unread = Math.max(0, unread - characters);
      if (timer === undefined) flush();
    },
    /** Passes on the rest, which is short. */
    end() {
      clearTimeout(timer);
      if (waiting !== '') pass(waiting);
      waiting = '';
    },
  };
}
