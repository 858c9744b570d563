/**
 * A separate process for crash.test.ts. It does one kind of work, and prints a line for each finished item.
 */
import { flushCompileCache } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteQueue } from '../../../lib/adapters/sqlite/queue.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { ExpectationFailed } from '../../../lib/ports/records.ts';

flushCompileCache(); // killed, because a process that ends on its own would be reused for the next test
const [work = '', dataDir = '', name = '', count = '0'] = process.argv.slice(2);
const database = openDatabase(dataDir);
const records = sqliteRecords(database);
const queue = sqliteQueue(database, 'work');
const total = { partition: 'counters', sort: 'total' };

// On Linux, a pipe is written synchronously, so printed lines have left the process.
const report = (line: unknown) => process.stdout.write(`${line}\n`);

/** Each round writes in every way: one record, thirty together, a counter, three messages. */
async function write(): Promise<void> {
  for (let round = 0; ; round++) {
    const keys = Array.from({ length: 30 }, (_, index) => ({
      partition: `batch#${name}`,
      sort: `${round}#${index}`,
    }));
    await records.put({ key: { partition: `single#${name}`, sort: `${round}` }, value: { round } }, 'absent');
    await records.putMany(keys.map((key) => ({ key, value: { text: 'x'.repeat(500) } })));
    await records.update(total, { add: { [name]: 1 } });
    await queue.send([1, 2, 3].map((part) => ({ body: { name, round, part } })));
    report(round);
  }
}

async function hold(): Promise<void> {
  for (const { messageId } of await queue.receive({ max: 10, waitSeconds: 5 })) report(messageId);
  await sleep(60_000);
}

/** Handles each body once, however often it is delivered, as every worker must. */
async function handle(body: string): Promise<void> {
  try {
    await records.put({ key: { partition: 'done', sort: body }, value: { by: name } }, 'absent');
    report(body);
  } catch (error) {
    if (!(error instanceof ExpectationFailed)) throw error;
  }
}

/** Receives batches until there are no more, or waits to be killed after `most` messages. */
async function consume(waitSeconds: number, most = Number.POSITIVE_INFINITY): Promise<void> {
  for (let taken = 0; taken < most; taken += 5) {
    const batch = await queue.receive({ max: 5, waitSeconds });
    if (batch.length === 0) return;
    for (const { body } of batch) await handle(body);
    await queue.delete(batch.map(({ receipt }) => receipt));
  }
  await sleep(60_000);
}

async function exchange(): Promise<void> {
  for (let index = 0; index < Number(count); index++) {
    await queue.send([{ body: `${name}#${index}` }]);
    await records.update(total, { add: { n: 1 } });
    for (const { body, receipt } of await queue.receive({ max: 2 })) {
      await records.put(
        { key: { partition: 'done', sort: JSON.parse(body) as string }, value: {} },
        'absent',
      );
      await queue.delete([receipt]);
    }
  }
  await consume(1);
}

const works: Record<string, () => Promise<void>> = {
  write,
  hold,
  consume: () => consume(30, Number(count) || undefined),
  exchange,
};
await works[work]?.();
