import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, statfsSync, statSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bytesLeftInReserve } from '../../async/disk-reserve.ts';
import { isDiskFull } from '../../known-error.ts';

/**
 * Bytes to reserve while the disk has space. A full disk would refuse a deletion, because it writes its audit
 * entry before it frees anything. The reserve allows some 2,000 deletions while a backup prevents SQLite's
 * log from starting over; without a backup, nearly all.
 */
const RESERVE_BYTES = 8 * 1024 * 1024;
const PIECE_BYTES = 256 * 1024;
/** The reserve is created only if this many bytes stay free. */
const SPARE_BYTES = 3 * RESERVE_BYTES;

const RESERVE_FOLDER = '.reserve';

function reserveFile(dataDir: string): string {
  return join(dataDir, RESERVE_FOLDER, 'room');
}

/**
 * Runs a write of this thread. It must be synchronous, and undone if it throws. While a write that frees
 * space fails, the reserve is released in parts and the write retried; nothing else in this thread runs in
 * between.
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
 * Completes the reserve if the disk has space. Writes random bytes, because some file systems store zeros
 * without using space.
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
