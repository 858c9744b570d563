import { DatabaseSync } from 'node:sqlite';
import { makePrivate, SQLITE_BUSY } from './database.ts';

/**
 * Locks a file in an existing folder for this process. Returns a function that unlocks it, or undefined if another
 * process holds the lock. SQLite uses the kernel's lock, so a kill leaves none behind.
 */
export function lockFile(path: string): (() => void) | undefined {
  makePrivate(path);
  const lock = new DatabaseSync(path);
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return () => lock.close();
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    return;
  }
}
