import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, statfsSync, statSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bytesLeftInReserve } from '../../async/disk-reserve.ts';
import { isDiskFull } from '../../known-error.ts';

/**
 * Bytes reserved while there is space, because a deletion writes its audit entry before it frees anything, which a full
 * disk would refuse. Some 2,000 deletions fit into the reserve while a backup prevents SQLite's log from restarting;
 * without a backup, nearly all do.
 */
const RESERVE_BYTES = 8 * 1024 * 1024;
const PIECE_BYTES = 256 * 1024;
/** The reserve is created only if this many bytes stay free in addition to it. */
const SPARE_BYTES = 3 * RESERVE_BYTES;

const RESERVE_FOLDER = '.reserve';

function reserveFile(dataDir: string): string {
  return join(dataDir, RESERVE_FOLDER, 'room');
}

/**
 * Runs a write of this thread, which must be synchronous and undone if it throws. A write that frees space is retried
 * as the reserve is released in parts; nothing else in this thread runs in between.
 */
export function writeIntoReserve<Result>(dataDir: string, write: () => Result): Result {
  for (;;) {
    try {
      return write();
    } catch (error) {
      const kept = bytesLeftInReserve();
      if (kept === undefined || !isDiskFull(error) || !givePieceBack(dataDir, kept)) throw error;
    }
  }
}

function givePieceBack(dataDir: string, kept: number): boolean {
  const size = sizeOf(reserveFile(dataDir));
  if (size <= kept) return false;
  truncateSync(reserveFile(dataDir), Math.max(kept, size - PIECE_BYTES));
  return true;
}

/**
 * Completes the reserve if the disk has space. Writes random bytes, because a file system may store zeros without using
 * space.
 */
export function fillReserve(dataDir: string): void {
  const file = reserveFile(dataDir);
  const missing = RESERVE_BYTES - sizeOf(file);
  const { bavail, bsize } = statfsSync(dataDir);
  if (missing <= 0 || bavail * bsize < missing + SPARE_BYTES) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  appendFileSync(file, randomBytes(missing), { mode: 0o600, flush: true });
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
