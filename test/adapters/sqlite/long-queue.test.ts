import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { createQueues, sqliteQueue } from '../../../lib/adapters/sqlite/queue.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const dataDir = await tempFolder();

function openQueue(fifo: boolean, length: number) {
  const database = openDatabase(dataDir);
  const name = `${length}${fifo ? '.fifo' : ''}`;
  const attributes = { fifo, visibilityTimeoutSeconds: 600 };
  createQueues(database, [
    { name: 'dead', ...attributes },
    { name, ...attributes, maxReceiveCount: 5, deadLetterQueue: 'dead' },
  ]);
  return sqliteQueue(database, name);
}

/**
 * Returns the milliseconds to receive and delete ten messages: the fastest of 20 attempts, because the host
 * may be busy.
 */
async function measure(fifo: boolean, length: number): Promise<number> {
  const queue = openQueue(fifo, length);
  const send = (n: number) => ({ body: 'x'.repeat(500), ...(fifo && { groupId: `g${n % 50}` }) });
  await queue.send(Array.from({ length }, (_, n) => send(n)));
  let quickest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 20; round++) {
    const started = performance.now();
    const messages = await queue.receive({ max: 10 });
    expect(messages).toHaveLength(10);
    await queue.delete(messages.map(({ receipt }) => receipt));
    quickest = Math.min(quickest, performance.now() - started);
  }
  return quickest;
}

describe('long queue', () => {
  it.each([[false], [true]])('costs no more per message than a short queue (fifo: %s)', async (fifo) => {
    const short = await measure(fifo, 400);
    // The queue is 25 times as long, so reading all of it per deletion would take 25 times as long.
    expect(await measure(fifo, 10_000)).toBeLessThan(10 * Math.max(short, 0.5));
  });
});
