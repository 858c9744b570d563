import { statSync } from 'node:fs';
import type { QueueState } from '../../ports/queue.ts';
import { type Database, databaseFile } from './database.ts';

/** Returns the bytes on disk for records, waiting messages, free pages, and the log. */
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

/** Returns the state of every queue. Reads only indexes, because a queue may be long. */
export function measureQueues(database: Database, now: number): QueueState[] {
  const rows = database
    .prepare(
      `SELECT name, name IN (SELECT dead_letter_queue FROM queues) AS is_dead,
         (SELECT count(*) FROM messages WHERE queue = name AND visible_at <= ?1) AS waiting,
         (SELECT count(*) FROM messages WHERE queue = name AND visible_at > ?1) AS hidden,
         (SELECT max(visible_at, sent_at) FROM messages WHERE queue = name AND visible_at <= ?1
          ORDER BY visible_at, sequence LIMIT 1) AS since
       FROM queues ORDER BY name`,
    )
    .all(now) as { name: string; is_dead: number; waiting: number; hidden: number; since: number | null }[];
  return rows.map(({ is_dead: isDead, since, ...queue }) => ({
    ...{ ...queue, isDead: isDead === 1 },
    waitsSeconds: Math.max(0, Math.round((now - (since ?? now)) / 1000)),
  }));
}
