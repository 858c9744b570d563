import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { createQueues, sqliteQueue } from '../../../lib/adapters/sqlite/queue.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const dataDir = await tempFolder();

function openQueue(fifo: boolean) {
  const database = openDatabase(dataDir);
  const name = fifo ? 'long.fifo' : 'long';
  const attributes = { fifo, visibilityTimeoutSeconds: 600 };
  createQueues(database, [
    { name: 'dead', ...attributes },
    { name, ...attributes, maxReceiveCount: 5, deadLetterQueue: 'dead' },
  ]);
  return sqliteQueue(database, name);
}

describe('a long queue', () => {
  it.each([[false], [true]])('stays quick with 10,000 messages (fifo: %s)', async (fifo) => {
    const queue = openQueue(fifo);
    const send = (n: number) => ({ body: 'x'.repeat(500), ...(fifo && { groupId: `g${n % 50}` }) });
    await queue.send(Array.from({ length: 10_000 }, (_, n) => send(n)));
    const started = performance.now();
    for (let round = 0; round < 20; round++) {
      const messages = await queue.receive({ max: 10 });
      expect(messages).toHaveLength(10);
      await queue.delete(messages.map(({ receipt }) => receipt));
    }
    expect(performance.now() - started).toBeLessThan(300); // several times that when every delete reads the queue
  });
});
