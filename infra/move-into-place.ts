import { existsSync, renameSync, rmSync } from 'node:fs';

/**
 * Renames a finished folder to its final path. If another process was faster, its folder stays, and this one is
 * removed.
 */
export function moveIntoPlace(finished: string, place: string): void {
  try {
    renameSync(finished, place);
  } catch (error) {
    rmSync(finished, { recursive: true, force: true });
    if (!existsSync(place)) throw error;
  }
}
