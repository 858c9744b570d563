import { Conflict } from '../errors.ts';
import { writeWhole } from './write.ts';

/** Returns false if a file with other bytes exists: a user's own file, or another source. */
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
