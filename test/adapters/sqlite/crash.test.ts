import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from '@jest/globals';
import { type Database, openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { createQueues, releaseAbandoned, sqliteQueue } from '../../../lib/adapters/sqlite/queue.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';

const PROGRAM = join(import.meta.dirname, 'store-process.ts');

async function openStore() {
  const dataDir = await tempFolder();
  const database = openDatabase(dataDir);
  createQueues(database, [{ name: 'work', fifo: false, visibilityTimeoutSeconds: 600, maxReceiveCount: 3 }]);
  return { dataDir, database, records: sqliteRecords(database), queue: sqliteQueue(database, 'work') };
}

/** Starts the process; `lines` collects its output. */
function start(...args: string[]) {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  whenDone(async () => child.kill('SIGKILL'));
  const lines: string[] = [];
  const errors: string[] = [];
  child.stderr.on('data', (chunk) => errors.push(String(chunk)));
  const output = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  return { child, lines, errors, output, ended: once(child, 'close') };
}

type Process = ReturnType<typeof start>;

async function printed({ lines, output, errors, child, ended }: Process, count: number): Promise<void> {
  while (lines.length < count) {
    if (hasEnded(child)) throw new Error(`the process ended by itself: ${errors.join('')}`);
    await Promise.race([once(output, 'line'), ended]);
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function kill({ child, ended }: Process): Promise<void> {
  child.kill('SIGKILL');
  await ended;
}

const integrity = (database: Database) => database.prepare('PRAGMA integrity_check').get();
const range = (length: number) => Array.from({ length }, (_, index) => index);

describe('process killed while it writes', () => {
  it('loses no finished write, and leaves no partial write', async () => {
    const { dataDir, database, records } = await openStore();
    await records.put({ key: { partition: 'counters', sort: 'total' }, value: {} });
    const killed = await Promise.all(
      range(4).map(async (index) => {
        const writer = start('write', dataDir, `w${index}`);
        await printed(writer, 5 + index * 7);
        await kill(writer);
        return { name: `w${index}`, done: writer.lines.length };
      }),
    );
    expect(integrity(database)).toEqual({ integrity_check: 'ok' });
    const totals = (await records.get({ partition: 'counters', sort: 'total' })) ?? {};
    const sent = database.prepare('SELECT body FROM messages').all() as { body: string }[];
    const bodies = sent.map(({ body }) => JSON.parse(body) as { name: string; round: number });
    for (const { name, done } of killed) {
      const oneMoreAtMost = (n: unknown) => expect([done, done + 1]).toContain(n);
      oneMoreAtMost(await records.count({ partition: `single#${name}` }));
      oneMoreAtMost((await records.count({ partition: `batch#${name}` })) / 30);
      oneMoreAtMost(totals[name]);
      oneMoreAtMost(bodies.filter((body) => body.name === name).length / 3);
    }
    expect(new Set(sent.map(({ body }) => body)).size).toBe(sent.length);
  });
});

describe('process killed while it holds messages', () => {
  it('returns its own messages only, with their receive count', async () => {
    const { dataDir, database, queue } = await openStore();
    await queue.send(range(6).map((body) => ({ body })));
    const [mine] = await queue.receive({ max: 1 });
    for (const _ of range(4)) {
      const holder = start('hold', dataDir);
      await printed(holder, 5);
      expect(await queue.receive({ max: 10 })).toEqual([]);
      releaseAbandoned(database);
      expect(await queue.depth()).toEqual({ waiting: 0, inFlight: 6, delayed: 0 });
      await kill(holder);
      releaseAbandoned(database);
      expect(await queue.depth()).toEqual({ waiting: 5, inFlight: 1, delayed: 0 });
    }
    const back = await queue.receive({ max: 10 });
    expect(back.map(({ receiveCount }) => receiveCount)).toEqual([1, 1, 1, 1, 1]);
    expect(back.map(({ messageId }) => messageId)).not.toContain(mine?.messageId);
  });

  it('keeps the failures that were counted earlier', async () => {
    const { dataDir, database, queue } = await openStore();
    await queue.send([{ body: 1 }]);
    const [failed] = await queue.receive({ max: 1 });
    await queue.changeVisibility(failed?.receipt ?? '', 0);
    const holder = start('hold', dataDir);
    await printed(holder, 1);
    await kill(holder);
    releaseAbandoned(database);
    releaseAbandoned(database);
    expect(await queue.receive({ max: 1 })).toMatchObject([{ receiveCount: 2 }]);
  });

  it('loses no message and handles each once, although it is killed repeatedly', async () => {
    const { dataDir, database, records, queue } = await openStore();
    await queue.send(range(300).map((body) => ({ body })));
    const lines: string[] = [];
    for (const rounds of [3, 11, 24, 37]) {
      // If this process is paused before it kills the other, some messages still remain for the next one.
      const consumer = start('consume', dataDir, '', String(rounds + 20));
      await printed(consumer, rounds);
      await kill(consumer);
      lines.push(...consumer.lines);
      releaseAbandoned(database);
      const { waiting, inFlight } = await queue.depth();
      const done = await records.count({ partition: 'done' });
      expect(inFlight).toBe(0);
      expect(waiting + done).toBeGreaterThanOrEqual(300);
      // A message that was handled but not yet deleted is delivered again: at most one batch of five per
      // crash.
      expect(waiting + done).toBeLessThanOrEqual(305);
    }
    const last = start('consume', dataDir);
    while ((await records.count({ partition: 'done' })) < 300) await printed(last, last.lines.length + 1);
    await kill(last);
    const all = [...lines, ...last.lines];
    expect(new Set(all).size).toBe(all.length);
    expect(integrity(database)).toEqual({ integrity_check: 'ok' });
  });
});

describe('four processes that send and receive concurrently', () => {
  it('handle every message exactly once and lose no update', async () => {
    const { dataDir, records, queue } = await openStore();
    const total = { partition: 'counters', sort: 'total' };
    await records.put({ key: total, value: {} });
    const processes = range(4).map((index) => start('exchange', dataDir, `p${index}`, '150'));
    for (const { ended, child, errors } of processes) {
      await ended;
      expect([child.exitCode, child.exitCode === 0 ? [] : errors]).toEqual([0, []]);
    }
    const done = await records.query({ partition: 'done' });
    expect(done.records).toHaveLength(600);
    expect(await records.get(total)).toEqual({ n: 600 });
    expect(await queue.depth()).toEqual({ waiting: 0, inFlight: 0, delayed: 0 });
  });
});
