import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * Flushes a file or a directory to disk. Otherwise, a power failure could leave a file's new name without its
 * bytes, or lose names in a directory that were already reported to a caller.
 */
export async function flush(place: string): Promise<void> {
  await using handle = await open(place, constants.O_RDONLY);
  await handle.sync().catch(unlessImpossible);
}

/** Ignores the error of file systems that can flush only files. */
function unlessImpossible(error: NodeJS.ErrnoException): void {
  if (!['EINVAL', 'ENOTSUP', 'EOPNOTSUPP'].includes(error.code ?? '')) throw error;
}
