import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from './database.ts';

/** Number of free pages to keep for later use: 4 MB. */
const KEPT_PAGES = 1000;
/** Number of pages to release per write, which makes other writers wait for some 20 ms. */
const PAGES_AT_ONCE = 2000;
const PAUSE_MS = 20;
/** Maximum milliseconds for releasing pages, per call. */
const MOST_MS = 20_000;
/** In bytes. SQLite itself handles shorter logs. */
const SHORT_LOG_BYTES = 4 * 1024 * 1024;

/**
 * Returns the file's and the log's free space to the disk. Workers call this once per minute. It blocks its
 * thread for some milliseconds at a time, and costs next to nothing if there is no free space. Each step is a
 * transaction, so a kill does no harm.
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
