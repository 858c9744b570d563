import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { createQueues, releaseAbandoned, sqliteQueue } from '../../../lib/adapters/sqlite/queue.ts';
import { describeQueue, type OpenQueue } from '../../contract/queue.contract.ts';
import { stopTimers } from '../../support/fakes/fake-timers.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const database = openDatabase(await tempFolder());
let counter = 0;
let passedMs = 0;
const clock = { now: () => Date.now() + passedMs };

const open: OpenQueue = async (wish) => {
  const name = `q${counter++}`;
  const deadLetterQueue = `${name}-dead`;
  const dead = wish.maxReceiveCount === undefined ? {} : { deadLetterQueue };
  createQueues(database, [
    { name, ...wish, ...dead },
    { name: deadLetterQueue, fifo: wish.fifo, visibilityTimeoutSeconds: 30 },
  ]);
  return {
    queue: sqliteQueue(database, name, clock),
    deadLetters: sqliteQueue(database, deadLetterQueue, clock),
  };
};

beforeEach(() => {
  passedMs = 0;
});
describeQueue('SQLite', open, {}, async (seconds) => {
  passedMs += seconds * 1000;
});

describe('sqliteQueue', () => {
  it('refuses a name that was never created', async () => {
    await expect(sqliteQueue(database, 'none').send([{ body: 1 }])).rejects.toThrow('none');
  });

  it('keeps its messages when the queues are created again with other attributes', async () => {
    const definition = { name: 'kept', fifo: false, visibilityTimeoutSeconds: 30 };
    createQueues(database, [definition]);
    await sqliteQueue(database, 'kept').send([{ body: 1 }]);
    createQueues(database, [{ ...definition, visibilityTimeoutSeconds: 0 }]);
    const queue = sqliteQueue(database, 'kept');
    await queue.receive({ max: 1 });
    expect(await queue.receive({ max: 1 })).toMatchObject([{ receiveCount: 2 }]);
  });

  it.each([[false], [true]])(
    'receives from all groups in turn, however many messages one has (fifo: %s)',
    async (fifo) => {
      const name = `fair-${fifo}`;
      createQueues(database, [{ name, fifo, visibilityTimeoutSeconds: 30 }]);
      const queue = sqliteQueue(database, name);
      const of = (groupId: string, length: number) =>
        Array.from({ length }, () => ({ body: groupId, groupId }));
      await queue.send([...of('import', 50), ...of('a', 2), ...of('b', 1), ...of('z', 1)]);
      const seen: string[] = [];
      while (seen.length < 8) {
        const [message] = await queue.receive({ max: 1 });
        seen.push(JSON.parse(message?.body ?? ''));
        await queue.delete([message?.receipt ?? '']);
      }
      expect(seen).toEqual(['a', 'b', 'import', 'z', 'a', 'import', 'import', 'import']);
    },
  );

  it('receives messages without a group and messages of groups in turn', async () => {
    createQueues(database, [{ name: 'mixed', fifo: false, visibilityTimeoutSeconds: 30 }]);
    const queue = sqliteQueue(database, 'mixed');
    await queue.send(['g', 'g', undefined, undefined].map((groupId, body) => ({ body, groupId })));
    const seen = await queue.receive({ max: 10 });
    expect(seen.map(({ groupId }) => groupId)).toEqual(['g', undefined, 'g', undefined]);
  });

  it('skips a group whose message is in flight, or hidden after a failure', async () => {
    let now = Date.now();
    createQueues(database, [{ name: 'blocked', fifo: true, visibilityTimeoutSeconds: 30 }]);
    const queue = sqliteQueue(database, 'blocked', { now: () => now });
    await queue.send([1, 2].map((body) => ({ body, groupId: 'g' })));
    const [first] = await queue.receive({ max: 1 });
    await queue.changeVisibility(first?.receipt ?? '', 10);
    now += 9999;
    expect(await queue.receive({ max: 10 })).toEqual([]);
    now += 1;
    expect(await queue.receive({ max: 10 })).toMatchObject([{ body: '1', receiveCount: 2 }, { body: '2' }]);
  });

  it('never dead-letters a message whose receives were undone', async () => {
    createQueues(database, [
      { name: 'dead', fifo: false, visibilityTimeoutSeconds: 30 },
      {
        name: 'patient',
        fifo: false,
        visibilityTimeoutSeconds: 30,
        maxReceiveCount: 2,
        deadLetterQueue: 'dead',
      },
    ]);
    const queue = sqliteQueue(database, 'patient');
    await queue.send([{ body: 1 }]);
    for (let round = 0; round < 5; round++) {
      const [message] = await queue.receive({ max: 1 });
      expect(message?.receiveCount).toBe(1);
      await queue.changeVisibility(message?.receipt ?? '', 0, { uncounted: true });
    }
    expect((await sqliteQueue(database, 'dead').depth()).waiting).toBe(0);
  });

  it('wakes a receiver in its process immediately, without polling', async () => {
    createQueues(database, [{ name: 'woken', fifo: false, visibilityTimeoutSeconds: 30 }]);
    const queue = sqliteQueue(database, 'woken');
    stopTimers(); // otherwise it would poll
    try {
      const waiting = queue.receive({ max: 1, waitSeconds: 20 });
      await queue.send([{ body: 'hello' }]);
      expect(await waiting).toMatchObject([{ body: '"hello"' }]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('accepts a deduplication ID again after five minutes', async () => {
    let now = Date.now();
    createQueues(database, [{ name: 'dedup', fifo: true, visibilityTimeoutSeconds: 30 }]);
    const queue = sqliteQueue(database, 'dedup', { now: () => now });
    const send = () => queue.send([{ body: 1, groupId: 'g', deduplicationId: 'x' }]);
    await send();
    now += 299_000;
    await send();
    expect((await queue.depth()).waiting).toBe(1);
    now += 2000;
    await send();
    expect((await queue.depth()).waiting).toBe(2);
  });
});

describe('releaseAbandoned', () => {
  it('keeps the messages of running processes', async () => {
    createQueues(database, [{ name: 'living', fifo: false, visibilityTimeoutSeconds: 30 }]);
    const queue = sqliteQueue(database, 'living');
    await queue.send([{ body: 1 }]);
    await queue.receive({ max: 1 });
    releaseAbandoned(database);
    expect(await queue.depth()).toMatchObject({ waiting: 0, inFlight: 1 });
  });

  it('dead-letters a message that was in flight when more than 100 processes died', async () => {
    createQueues(database, [
      {
        name: 'killer',
        fifo: false,
        visibilityTimeoutSeconds: 30,
        maxReceiveCount: 3,
        deadLetterQueue: 'killer-dead',
      },
      { name: 'killer-dead', fifo: false, visibilityTimeoutSeconds: 30 },
    ]);
    const queue = sqliteQueue(database, 'killer');
    await queue.send([{ body: 1 }]);
    const die = database.prepare("UPDATE messages SET owner = '999999999:1' WHERE queue = 'killer'");
    let deaths = 0;
    while ((await queue.receive({ max: 1 })).length > 0 && deaths < 200) {
      die.run();
      releaseAbandoned(database);
      deaths++;
    }
    expect(deaths).toBe(101);
    expect(await sqliteQueue(database, 'killer-dead').depth()).toMatchObject({ waiting: 1 });
  });
});
