import { DatabaseSync } from 'node:sqlite';
import { makePrivate, SQLITE_BUSY } from './database.ts';

/**
 * Locks a file of an existing folder for this process, and returns a function that unlocks it, or undefined if another process
 * holds it. SQLite's lock is the kernel's, so no kill leaves it behind.
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
