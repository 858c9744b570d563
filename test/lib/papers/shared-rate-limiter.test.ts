import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { type Rate, withRateLimit } from '../../../lib/papers/shared-rate-limiter.ts';
import { systemClock } from '../../../lib/ports/clock.ts';
import { HubBusy } from '../../../lib/ports/hub.ts';
import { ExpectationFailed, type Records } from '../../../lib/ports/records.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const RATE: Rate = {
  source: 'preprint_server',
  name: 'arXiv',
  intervalMs: 40,
  slotMs: 10_000,
  waitMs: 30_000,
};
const ROW = { partition: 'PAPER_TURNS', sort: 'preprint_server' };

async function openPorts() {
  return { records: sqliteRecords(openDatabase(await tempFolder())), clock: systemClock };
}
type Ports = Awaited<ReturnType<typeof openPorts>>;

function take<Result>(
  ports: Ports,
  work: () => Promise<Result>,
  { rate = {}, signal = new AbortController().signal }: { rate?: Partial<Rate>; signal?: AbortSignal } = {},
): Promise<Result> {
  return withRateLimit(ports, { ...RATE, ...rate }, { ready: async () => undefined, signal }, work);
}

interface Row {
  waiting: unknown[];
  holder: string | null;
  freeAt: number;
  pausedUntil: number;
}

async function rowOf(records: Records): Promise<Row | undefined> {
  return (await records.get(ROW)) as Row | undefined;
}

async function untilHeld(records: Records): Promise<void> {
  while (((await rowOf(records))?.holder ?? null) === null) await pause(2);
}

async function untilWaiting(records: Records, count: number): Promise<void> {
  while ((await rowOf(records))?.waiting.length !== count) await pause(2);
}

describe('withRateLimit', () => {
  it('runs one task at a time, in the order of arrival', async () => {
    const { records } = await openPorts();
    let now = 1_000_000;
    const ports = { records, clock: { now: () => now } };
    const gate = Promise.withResolvers<void>();
    const first = take(ports, () => gate.promise);
    await untilHeld(records);
    const order: number[] = [];
    let atWork = 0;
    for (const name of [1, 2, 3, 4]) {
      now += 1;
      void take(ports, async () => {
        expect(++atWork).toBe(1);
        await pause(5);
        atWork -= 1;
        order.push(name);
      });
      await untilWaiting(records, name);
    }
    gate.resolve();
    await first;
    while (order.length < 4) {
      const row = await rowOf(records);
      if (row?.holder === null) now = Math.max(now, row.freeAt);
      await pause(2);
    }
    expect(order).toEqual([1, 2, 3, 4]);
  });

  it("continues after a dead lock holder, once the holder's time is over", async () => {
    const ports = await openPorts();
    void take(ports, () => new Promise(() => {}), { rate: { slotMs: 200 } });
    await untilHeld(ports.records);
    expect(await take(ports, async () => 'done')).toBe('done');
  });

  it('skips dead tasks in the queue, and forgets them', async () => {
    const ports = await openPorts();
    const dead = ['a', 'b', 'c'].map((id) => ({ id, since: Date.now() - 1000 }));
    await take(ports, async () => {});
    const row = await rowOf(ports.records);
    await ports.records.put({ key: ROW, value: { ...row, waiting: dead } });
    expect(await take(ports, async () => 'done')).toBe('done');
    expect(await rowOf(ports.records)).toMatchObject({ waiting: [] });
  });

  it("knows its turn even if the store's response was lost", async () => {
    const { records, clock } = await openPorts();
    let lost = 0;
    const forgetful: Records = {
      ...records,
      async put(record, expect) {
        await records.put(record, expect);
        const { holder } = record.value as Pick<Row, 'holder'>;
        if (holder !== null && lost++ === 0) throw new ExpectationFailed(ROW);
      },
    };
    expect(await take({ records: forgetful, clock }, async () => 'done', { rate: { slotMs: 600_000 } })).toBe(
      'done',
    );
    expect(lost).toBe(1);
  });

  it('returns available results without a turn', async () => {
    const ports = await openPorts();
    const work = async () => 'asked';
    const signal = new AbortController().signal;
    expect(await withRateLimit(ports, RATE, { ready: async () => 'kept', signal }, work)).toBe('kept');
    expect(await rowOf(ports.records)).toBeUndefined();
  });

  it('rejects queued tasks if the source fails, and calls the source again later', async () => {
    const ports = await openPorts();
    const gate = Promise.withResolvers<void>();
    const first = take(ports, () => gate.promise);
    await untilHeld(ports.records);
    const waiting = [1, 2].map(() => take(ports, async () => 'asked'));
    await untilWaiting(ports.records, 2);
    gate.reject(new HubBusy('arXiv is down.', { pauseMs: 60_000 }));
    const told = await Promise.allSettled([first, ...waiting, take(ports, async () => 'asked')]);
    const again = expect.stringMatching(/^arXiv is down\. The service retries in \d+ s\.$/);
    expect(told.map((answer) => (answer as PromiseRejectedResult).reason.message)).toEqual([
      'arXiv is down.',
      again,
      again,
      again,
    ]);
    const later = { ...ports, clock: { now: () => Date.now() + 61_000 } };
    expect(await take(later, async () => 'asked')).toBe('asked');
  });

  it('pauses the source for longer after every failure, until it responds', async () => {
    const { records } = await openPorts();
    let now = 1_000_000;
    const ports = { records, clock: { now: () => now } };
    const pauses: number[] = [];
    for (let round = 0; round < 8; round++) {
      await expect(take(ports, () => Promise.reject(new HubBusy('down')))).rejects.toThrow('down');
      const pausedUntil = (await rowOf(records))?.pausedUntil ?? 0;
      pauses.push(pausedUntil - now);
      now = pausedUntil;
    }
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300].map((seconds) => seconds * 1000));
    await take(ports, async () => {});
    expect(await rowOf(records)).toMatchObject({ failures: 0 });
  });

  it('does not count other errors as failures of the source', async () => {
    const ports = await openPorts();
    await expect(take(ports, () => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug');
    expect(await take(ports, async () => 'asked')).toBe('asked');
  });

  it('leaves the queue when its caller leaves', async () => {
    const ports = await openPorts();
    const gate = Promise.withResolvers<void>();
    const first = take(ports, () => gate.promise);
    await untilHeld(ports.records);
    const controller = new AbortController();
    const waiting = take(ports, async () => {}, { signal: controller.signal });
    await untilWaiting(ports.records, 1);
    controller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    expect(await rowOf(ports.records)).toMatchObject({ waiting: [] });
    gate.resolve();
    await first;
  });

  it('rejects callers that would have to wait too long', async () => {
    const ports = await openPorts();
    const gate = Promise.withResolvers<void>();
    const first = take(ports, () => gate.promise);
    const rate = { intervalMs: 10_000, waitMs: 20_000 };
    const controller = new AbortController();
    const options = { rate, signal: controller.signal };
    await untilHeld(ports.records);
    const waiting = [1, 2, 3].map(() => take(ports, async () => {}, options));
    for (const one of waiting) one.catch(() => undefined);
    await untilWaiting(ports.records, 3);
    await expect(take(ports, async () => {}, { rate })).rejects.toThrow('Too many requests wait for arXiv');
    controller.abort();
    await Promise.allSettled(waiting);
    gate.resolve();
    await first;
  });
});
