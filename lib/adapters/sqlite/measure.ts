import { statSync } from 'node:fs';
import { type Database, databaseFile } from './database.ts';

/** Returns the bytes on disk of records, waiting messages, free pages, and the log. */
export function measureDatabase(database: Database, dataDir: string) {
  const pragma = (name: string) => Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  const file = databaseFile(dataDir);
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const used = (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
  const row = database.prepare('SELECT total(octet_length(body)) AS bytes FROM messages').get();
  const queue = Math.min(used, Number((row as { bytes: number }).bytes));
  const free = pragma('freelist_count') * pragma('page_size');
  return { records: used - queue, queue, temporary: free + sizeOf(`${file}-wal`) + sizeOf(`${file}-shm`) };
}
