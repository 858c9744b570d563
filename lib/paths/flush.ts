import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * Onto the disk: the bytes of a file, so that no power cut leaves its new name without them; or the names in a directory, so
 * that none takes a name back that a caller was told of.
 */
export async function flush(place: string): Promise<void> {
  const handle = await open(place, constants.O_RDONLY);
  try {
    await handle.sync().catch(unlessImpossible);
  } finally {
    await handle.close();
  }
}

/** Some file systems know this for files only. */
function unlessImpossible(error: NodeJS.ErrnoException): void {
  if (!['EINVAL', 'ENOTSUP', 'EOPNOTSUPP'].includes(error.code ?? '')) throw error;
}
