import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

const PIECE_BYTES = 1 << 20;
/** Never follows a link at the end of the path, and never waits for the other end of a FIFO. */
export const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export interface CopiedFile {
  size: number;
  mode: number;
  sha256: string;
}

/**
 * Drops setuid and setgid, because the copy belongs to the user who makes it and would run with that user's
 * rights.
 */
const RIGHTS = 0o777;

/**
 * Copies a regular file with its mode, and returns the result. If the file grows in the meantime, copies as
 * many bytes as it had when opened. Returns undefined for anything but a regular file, and for a file whose
 * size isn't `size` bytes. Without `to`, only reads the file.
 */
export async function copyFile(
  from: string,
  to: string | undefined,
  signal: AbortSignal,
  size?: number,
): Promise<CopiedFile | undefined> {
  await using source = await open(from, READ);
  const stats = await source.stat();
  if (!stats.isFile() || stats.size !== (size ?? stats.size)) return undefined;
  const mode = stats.mode & RIGHTS;
  return { mode, ...(await copyBytes(source, to, { mode, most: stats.size }, signal)) };
}

type Handle = Awaited<ReturnType<typeof open>>;

interface Bounds {
  mode: number;
  /** Maximum number of bytes. */
  most: number;
}

async function copyBytes(
  source: Handle,
  to: string | undefined,
  { mode, most }: Bounds,
  signal: AbortSignal,
) {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  await using target = to === undefined ? undefined : await open(to, 'wx', 0o600);
  let size = 0;
  while (size < most) {
    signal.throwIfAborted();
    const { bytesRead } = await source.read(piece, 0, Math.min(PIECE_BYTES, most - size), null);
    if (bytesRead === 0) break;
    const bytes = piece.subarray(0, bytesRead);
    hash.update(bytes);
    await target?.writeFile(bytes);
    size += bytesRead;
  }
  await target?.chmod(mode);
  return { size, sha256: hash.digest('hex') };
}
