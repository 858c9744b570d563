import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

const PIECE_BYTES = 1 << 20;
/** Never through a link in the last place, and never waiting for the other end of a FIFO. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export interface CopiedFile {
  size: number;
  mode: number;
  sha256: string;
}

/**
 * Copies a regular file, its mode with it, and says what was copied: of a file that changes meanwhile the bytes that were
 * read. Undefined for anything else.
 */
export async function copyFile(
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<CopiedFile | undefined> {
  const source = await open(from, READ);
  try {
    const stats = await source.stat();
    if (!stats.isFile()) return undefined;
    const mode = stats.mode & 0o7777;
    return { mode, ...(await copyBytes(source, to, mode, signal)) };
  } finally {
    await source.close();
  }
}

type Handle = Awaited<ReturnType<typeof open>>;

async function copyBytes(source: Handle, to: string, mode: number, signal: AbortSignal) {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  const target = await open(to, 'wx', 0o600);
  try {
    let size = 0;
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await source.read(piece, 0, PIECE_BYTES, null);
      if (bytesRead === 0) break;
      const bytes = piece.subarray(0, bytesRead);
      hash.update(bytes);
      await target.writeFile(bytes);
      size += bytesRead;
    }
    await target.chmod(mode);
    return { size, sha256: hash.digest('hex') };
  } finally {
    await target.close();
  }
}
