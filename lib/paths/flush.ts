import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * Flushes a file or a directory to disk: the bytes of a file, so that a power cut doesn't leave its new name without them; or
 * the names in a directory, so that none that was reported to a caller disappears.
 */
export async function flush(place: string): Promise<void> {
  await using handle = await open(place, constants.O_RDONLY);
  await handle.sync().catch(unlessImpossible);
}

/** Some file systems support this for files only. */
function unlessImpossible(error: NodeJS.ErrnoException): void {
  if (!['EINVAL', 'ENOTSUP', 'EOPNOTSUPP'].includes(error.code ?? '')) throw error;
}
