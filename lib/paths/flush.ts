import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * Flushes a file or a directory to disk, so that a power failure doesn't leave a file's new name without its bytes, or
 * lose names in a directory that were reported to a caller.
 */
export async function flush(place: string): Promise<void> {
  await using handle = await open(place, constants.O_RDONLY);
  await handle.sync().catch(unlessImpossible);
}

/** Ignores the error of file systems that support this for files only. */
function unlessImpossible(error: NodeJS.ErrnoException): void {
  if (!['EINVAL', 'ENOTSUP', 'EOPNOTSUPP'].includes(error.code ?? '')) throw error;
}
