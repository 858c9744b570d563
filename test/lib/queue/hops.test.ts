import { describe, expect, it } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import * as z from 'zod';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { createQueues } from '../../../lib/adapters/sqlite/queue.ts';
import { readConfig } from '../../../lib/config.ts';
import type { OutgoingMessage, Queue } from '../../../lib/ports/queue.ts';
import { asHop, countHops, isRunaway } from '../../../lib/queue/hops.ts';
import { serveQueue } from '../../../lib/queue/worker.ts';
import { openQueue } from '../../../lib/wiring/queue.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** A worker that sends to itself endlessly, and a queue that delivers its messages. */
function startLoop(maxHops: number, endChain?: (message: { n: number }) => Promise<void>) {
  const sent: OutgoingMessage[] = [];
  const queue = countHops({
    send: async (messages: OutgoingMessage[]) => void sent.push(...messages),
  } as Queue);
  const handled: number[] = [];
  const worker = serveQueue({
    message: z.strictObject({ n: z.int() }),
    queues: {},
    maxHops,
    ...(endChain && { endChain }),
    async handle(messages) {
      for (const { n } of messages) {
        handled.push(n);
        await new Promise((resolve) => setTimeout(resolve, 1));
        await queue.send([{ body: { n: n + 1 } }]);
      }
    },
  });
  /** Runs until no more messages are sent, and returns the failed ones. */
  async function run(most: number): Promise<string[]> {
    await queue.send([{ body: { n: 0 } }]);
    const failed: string[] = [];
    for (let round = 0; round < most && sent.length > 0; round++) {
      const bodies = sent.splice(0).map(({ body }) => JSON.stringify(body));
      const attributes = { ApproximateReceiveCount: '1', SentTimestamp: '0' };
      const eventSourceARN = 'arn:aws:sqs:local:0:loop';
      const Records = bodies.map((body) => ({ messageId: body, body, attributes, eventSourceARN }));
      const { batchItemFailures } = await worker({ Records } as unknown as SQSEvent, {
        getRemainingTimeInMillis: () => 1000,
      });
      failed.push(...batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    }
    return failed;
  }
  return { run, handled };
}

describe('worker that sends to itself', () => {
  it('is ended, with its subject, once its chain is too long', async () => {
    const ended: unknown[] = [];
    const { run, handled } = startLoop(5, async (message) => void ended.push(message));
    expect(await run(100)).toEqual([]);
    expect(handled).toEqual([0, 1, 2, 3, 4, 5]);
    expect(ended).toEqual([{ n: 6 }]);
  });

  it('returns the message to the queue without an end handler, so that it moves to the dead-letter queue', async () => {
    const { run, handled } = startLoop(3);
    expect(await run(100)).toEqual(['{"n":4,"hops":4,"chainSince":0}']);
    expect(handled).toEqual([0, 1, 2, 3]);
  });

  it('counts parallel chains separately', async () => {
    const { run, handled } = startLoop(3, async () => {});
    await Promise.all([run(100), run(100)]);
    expect(handled.toSorted()).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
  });
});

it.each([
  ['is fast', { hops: 300, seconds: 10 }, true],
  ['takes a second per message', { hops: 5000, seconds: 5000 }, false],
  ['is short', { hops: 250, seconds: 0 }, false],
  ['has an unknown age', { hops: 5000, seconds: Number.NaN }, false],
])('chain that %s is judged correctly', (_, { hops, seconds }, is) => {
  expect(isRunaway({ hops, since: 1_000_000 }, 1_000_000 + seconds * 1000)).toBe(is);
});

it('queues that the service opens all count hops', async () => {
  const DATA_DIR = await tempFolder();
  createQueues(openDatabase(DATA_DIR), [{ name: 'agent', fifo: false, visibilityTimeoutSeconds: 60 }]);
  const queue = await openQueue(readConfig({ DATA_DIR }), 'agent');
  await queue.send([{ body: { runId: 'by a request' } }]);
  await asHop({ hops: 4, since: 1000 }, () => queue.send([{ body: { runId: 'by a worker' } }]));
  const bodies = (await queue.receive({ max: 10 })).map(({ body }) => JSON.parse(body));
  expect(bodies.toSorted((a, b) => a.runId.localeCompare(b.runId))).toEqual([
    { runId: 'by a request' },
    { runId: 'by a worker', hops: 5, chainSince: 1000 },
  ]);
});
