import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import { startPoller } from '../../../infra/local/poller.ts';
import type { QueueWithWorker } from '../../../infra/local/service-file.ts';
import { setLogLevel } from '../../../lib/log.ts';
import type { Queue, ReceivedMessage } from '../../../lib/ports/queue.ts';
import { eventually } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';

setLogLevel('error');
process.stdout.write = (() => true) as typeof process.stdout.write; // the errors below are intentional

const definition: QueueWithWorker = {
  name: 'index',
  fifo: false,
  visibilityTimeoutSeconds: 30,
  worker: {
    function: 'index-worker',
    batchSize: 3,
    maximumConcurrency: 1,
    waits: false,
    streams: false,
    slow: false,
    quick: false,
  },
};

/** A queue that records what happens to its messages. */
function fakeQueue(messages: ReceivedMessage[]) {
  const deleted: string[] = [];
  const hidden: [string, number][] = [];
  const failing = { receive: 0, delete: 0 };
  const queue: Queue = {
    send: async () => {},
    async receive({ max }) {
      if (failing.receive-- > 0) throw new Error('the queue is not there');
      const batch = messages.splice(0, max);
      if (batch.length === 0) await sleep(10);
      return batch;
    },
    async delete(receipts) {
      if (failing.delete-- > 0) throw new Error('the queue is not there');
      deleted.push(...receipts);
    },
    changeVisibility: async (receipt, seconds) => void hidden.push([receipt, seconds]),
    depth: async () => ({ waiting: messages.length, inFlight: 0, delayed: 0 }),
  };
  return { queue, deleted, hidden, failing, messages };
}

function message(name: string, receiveCount = 1, groupId?: string): ReceivedMessage {
  return {
    messageId: name,
    receipt: `receipt-${name}`,
    body: `{"is":"${name}"}`,
    receiveCount,
    sentAt: 1000,
    groupId,
  };
}

function start(
  queue: Queue,
  invoke: (event: SQSEvent) => Promise<unknown>,
  { concurrency = 1, ...more }: Partial<QueueWithWorker> & { concurrency?: number } = {},
) {
  const poller = startPoller({ definition: { ...definition, ...more }, queue, concurrency, invoke });
  whenDone(() => poller.stop(0));
  return poller;
}

async function until(condition: () => boolean): Promise<void> {
  await eventually(async () => condition(), Boolean);
}

describe('queue poller', () => {
  it('delivers batches in the format of an SQS event and deletes the successful messages', async () => {
    const events: SQSEvent[] = [];
    const { queue, deleted } = fakeQueue([
      message('a', 2, 'group'),
      message('b'),
      message('c'),
      message('d'),
    ]);
    start(queue, async (event) => void events.push(event));
    await until(() => deleted.length === 4);
    expect(events.map(({ Records }) => Records.length)).toEqual([3, 1]);
    expect(events[0]?.Records[0]).toMatchObject({
      messageId: 'a',
      receiptHandle: 'receipt-a',
      body: '{"is":"a"}',
      attributes: { ApproximateReceiveCount: '2', SentTimestamp: '1000', MessageGroupId: 'group' },
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:local:000000000000:index',
    });
    expect(events[0]?.Records[1]?.attributes).not.toHaveProperty('MessageGroupId');
  });

  it("deletes messages that the worker doesn't report as failed, and keeps the others hidden for the time that the worker set", async () => {
    const { queue, deleted, hidden } = fakeQueue([message('good'), message('bad', 1), message('worse', 4)]);
    start(queue, async () => ({
      batchItemFailures: [{ itemIdentifier: 'bad' }, { itemIdentifier: 'worse' }],
    }));
    await until(() => deleted.length === 1);
    expect([deleted, hidden]).toEqual([['receipt-good'], []]);
  });

  it('keeps all messages hidden if the function fails', async () => {
    const { queue, deleted, hidden, messages } = fakeQueue([message('a'), message('b', 20)]);
    let failures = 0;
    start(queue, async () => {
      if (failures++ === 0) throw new Error('out of memory');
    });
    await until(() => failures === 1);
    messages.push(message('c'));
    await until(() => deleted.length === 1);
    expect([deleted, hidden]).toEqual([['receipt-c'], []]);
  });

  it('extends the visibility of messages in progress if the queue requires it', async () => {
    const { queue, deleted, hidden } = fakeQueue([message('long')]);
    const short = { visibilityTimeoutSeconds: 0.3, renewed: true };
    start(queue, () => until(() => hidden.length === 2), short);
    await until(() => deleted.length === 1);
    expect(hidden[0]).toEqual(['receipt-long', 0.3]);
  });

  it("continues after a queue that can't settle a batch", async () => {
    const { queue, deleted, failing, messages } = fakeQueue([message('a')]);
    failing.delete = 1;
    start(queue, async () => undefined);
    await until(() => failing.delete < 1);
    messages.push(message('b'));
    await until(() => deleted.length === 1);
    expect(deleted).toEqual(['receipt-b']);
  });

  it("retries a queue that can't be read", async () => {
    const { queue, deleted, failing } = fakeQueue([message('a')]);
    failing.receive = 1;
    start(queue, async () => undefined);
    await until(() => deleted.length === 1);
  });

  it('polls a queue once at a time, for any number of concurrent batches', async () => {
    const { queue, deleted, messages } = fakeQueue([]);
    let [receiving, most, atWork] = [0, 0, 0];
    const counted: Queue = {
      ...queue,
      async receive(options) {
        most = Math.max(most, ++receiving);
        return queue.receive(options).finally(() => {
          receiving -= 1;
        });
      },
    };
    const { promise: asked, resolve: finish } = Promise.withResolvers<void>();
    const work = () => {
      atWork += 1;
      return asked;
    };
    const poller = start(counted, work, { concurrency: 5 });
    messages.push(...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => message(name)));
    await until(() => atWork === 3); // three parallel batches
    expect(most).toBe(1);
    finish();
    await until(() => deleted.length === 7);
    await poller.stop(60_000);
  });

  it('waits for the current batch when it stops, and receives no more', async () => {
    const { queue, deleted, hidden, messages } = fakeQueue([message('a')]);
    const { promise: asked, resolve: finish } = Promise.withResolvers<void>();
    let begun = false;
    const poller = start(queue, () => {
      begun = true;
      return asked;
    });
    await until(() => begun);
    const stopped = poller.stop(60_000);
    messages.push(message('late'));
    finish();
    await stopped;
    expect(deleted).toEqual(['receipt-a']);
    expect(hidden).toEqual([]);
    expect(messages).toHaveLength(1);
  });

  it('leaves messages that exceed the grace period on stop to releaseAbandoned, which undoes the receive', async () => {
    const { queue, deleted, hidden } = fakeQueue([message('a')]);
    let begun = false;
    const poller = start(queue, async () => {
      begun = true;
      await new Promise(() => {});
    });
    await until(() => begun);
    await poller.stop(50);
    expect(hidden).toEqual([]);
    expect(deleted).toEqual([]);
  });
});
