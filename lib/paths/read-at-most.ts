import type { FileHandle } from 'node:fs/promises';
import { fileError } from './file-errors.ts';

/**
 * Reads the first bytes of a file, even if the file grows in the meantime. Throws the errors of fileError.
 */
export async function readAtMost(handle: FileHandle, most: number): Promise<Buffer> {
  const buffer = Buffer.alloc(most);
  let filled = 0;
  while (filled < most) {
    const { bytesRead } = await handle.read(buffer, filled, most - filled, filled).catch(fileError);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
