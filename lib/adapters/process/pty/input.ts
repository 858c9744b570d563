import { writeSync } from 'node:fs';
import { hasCode } from '../../../paths/file-errors.ts';

/** Bytes of input that may wait for a program to read them. Input beyond that is dropped. */
const MAX_WAITING = 262_144;
/** Bytes per write. The kernel takes less at once. */
const MAX_WRITE = 4_096;
const RETRY_MS = 20;

/**
 * Writes to a terminal without waiting. The package's stream would retry a write in a loop until a program
 * reads, so one terminal could block all others.
 */
export function boundedInput(fd: number) {
  let waiting = Buffer.alloc(0);
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const flush = () => {
    timer = undefined;
    while (!isOver && waiting.length > 0) {
      const written = writeSome(fd, waiting);
      waiting = waiting.subarray(written);
      if (written === 0) {
        timer = setTimeout(flush, RETRY_MS);
        return;
      }
    }
  };
  return {
    write(text: string) {
      const bytes = Buffer.from(text);
      if (waiting.length + bytes.length > MAX_WAITING) return;
      waiting = Buffer.concat([waiting, bytes]);
      if (timer === undefined) flush();
    },
    end() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

/** Returns how many bytes were written; 0 if the terminal currently accepts none. */
function writeSome(fd: number, bytes: Buffer): number {
  try {
    return writeSync(fd, bytes, 0, Math.min(bytes.length, MAX_WRITE));
  } catch (error) {
    if (hasCode(error, 'EAGAIN')) return 0;
    return bytes.length; // the terminal has ended
  }
}
