import { DatabaseSync } from 'node:sqlite';
import { makePrivate, SQLITE_BUSY } from './database.ts';

/**
 * Locks a file in an existing folder for this process. Returns a function that unlocks it; undefined if
 * another process has the lock. SQLite uses the kernel's lock, which a killed process doesn't leave behind.
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
