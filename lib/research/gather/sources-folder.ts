import { Conflict } from '../../errors.ts';
import { writeWhole } from '../../files/write.ts';

/** Where what came from outside is kept in a workspace. */
export const SOURCES_FOLDER = 'sources';

/** False when a file with other bytes is there: somebody's work, or another source. */
export async function writeUnlessOther(
  root: string,
  path: string,
  bytes: Buffer,
  hash: string,
): Promise<boolean> {
  for (const expected of [null, hash]) {
    try {
      await writeWhole(root, path, bytes, expected);
      return true;
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
    }
  }
  return false;
}
