import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from '@jest/globals';
import { databaseFile, openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { createQueues, sqliteQueue } from '../../../lib/adapters/sqlite/queue.ts';
import { tidyDatabase } from '../../../lib/adapters/sqlite/tidy.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';

const MB = 1024 * 1024;

async function makeStore() {
  const folder = await tempFolder();
  const file = databaseFile(folder);
  const database = openDatabase(folder);
  whenDone(async () => database.close());
  createQueues(database, [{ name: 'q', fifo: false, visibilityTimeoutSeconds: 30 }]);
  const sizes = () => [file, `${file}-wal`].map((each) => statSync(each).size / MB);
  return { folder, file, database, queue: sqliteQueue(database, 'q'), sizes };
}

type Store = Awaited<ReturnType<typeof makeStore>>;

/** Sends 12 MB through the queue. */
async function passTexts({ queue }: Store): Promise<void> {
  await queue.send(Array.from({ length: 12 }, () => ({ body: 'x'.repeat(MB) })));
  for (let left = 12; left > 0; ) {
    const messages = await queue.receive({ max: 10 });
    await queue.delete(messages.map(({ receipt }) => receipt));
    left -= messages.length;
  }
}

describe('database after large messages', () => {
  it('frees their space, in the file and in its log', async () => {
    const store = await makeStore();
    await passTexts(store);
    expect(Math.max(...store.sizes())).toBeGreaterThan(10);
    await tidyDatabase(store.database, store.file);
    const [file = 0, wal] = store.sizes();
    expect(file).toBeLessThan(6);
    expect(wal).toBe(0);
    expect(store.database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  });

  it('keeps data for a concurrent reader of an older state, and loses nothing', async () => {
    const store = await makeStore();
    await store.queue.send([{ body: 'kept' }]);
    await passTexts(store).catch(() => undefined);
    const reader = new DatabaseSync(join(store.folder, 'service.sqlite'));
    reader.exec('BEGIN');
    const before = reader.prepare('SELECT count(*) AS n FROM messages').get();
    await tidyDatabase(store.database, store.file);
    expect(reader.prepare('SELECT count(*) AS n FROM messages').get()).toEqual(before);
    reader.close();
  });
});
