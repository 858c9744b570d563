import { existsSync, renameSync, rmSync } from 'node:fs';

/** Renames a finished folder to its place. Another process may have been faster: then its folder stays, and this one is removed. */
export function moveIntoPlace(finished: string, place: string): void {
  try {
    renameSync(finished, place);
  } catch (error) {
    rmSync(finished, { recursive: true, force: true });
    if (!existsSync(place)) throw error;
  }
}
