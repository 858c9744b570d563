import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from './database.ts';

/** Number of free pages kept for later use: 4 MB. */
const KEPT_PAGES = 1000;
/** Number of pages released in one write: some 20 ms in which other writers wait. */
const PAGES_AT_ONCE = 2000;
const PAUSE_MS = 20;
/** Maximum milliseconds in which one call releases pages. */
const MOST_MS = 20_000;
/** Bytes; shorter logs are left to SQLite. */
const SHORT_LOG_BYTES = 4 * 1024 * 1024;

/**
 * Returns free space in the file and in its log to the disk. Workers call this once per minute. It blocks its thread
 * for some milliseconds at a time, and costs next to nothing if there is no free space. Each step is a transaction, so
 * a kill changes nothing.
 */
export async function tidyDatabase(database: Database, file: string): Promise<void> {
  const until = performance.now() + MOST_MS;
  while (pragma(database, 'freelist_count') > KEPT_PAGES && performance.now() < until) {
    const pages = Math.min(pragma(database, 'freelist_count') - KEPT_PAGES, PAGES_AT_ONCE);
    database.runSoon(`PRAGMA incremental_vacuum(${pages})`);
    await sleep(PAUSE_MS);
  }
  if (sizeOf(`${file}-wal`) > SHORT_LOG_BYTES || sizeOf(file) > pageBytes(database))
    database.runSoon('PRAGMA wal_checkpoint(TRUNCATE)');
}

function pageBytes(database: Database): number {
  return pragma(database, 'page_count') * pragma(database, 'page_size');
}

function pragma(database: Database, name: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
