import { describe, expect, it, jest } from '@jest/globals';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import type { Queue } from '../../../lib/ports/queue.ts';
import { type Delivery, serveQueue } from '../../../lib/queue/worker.ts';

const message = z.strictObject({ n: z.int() });

function record(messageId: string, body: string, groupId?: string, receiveCount = 1): SQSRecord {
  const attributes = {
    ApproximateReceiveCount: String(receiveCount),
    ...(groupId && { MessageGroupId: groupId }),
  };
  const eventSourceARN = `arn:aws:sqs:region:account:stack-${groupId === undefined ? 'index' : 'commit.fifo'}`;
  return {
    messageId,
    receiptHandle: `receipt-${messageId}`,
    body,
    attributes,
    eventSourceARN,
  } as unknown as SQSRecord;
}

type Hiding = [receipt: string, seconds: number, uncounted?: 'uncounted'];

/** Records the hidden messages with their times. */
function hidingQueue(hidden: Hiding[], fails = false): Queue {
  return {
    async changeVisibility(receipt, seconds, { uncounted } = {}) {
      if (fails) throw new Error('not now');
      hidden.push(uncounted ? [receipt, seconds, 'uncounted'] : [receipt, seconds]);
    },
  } as Partial<Queue> as Queue;
}

/** Runs a worker that fails on the numbers in `bad`. Returns its input, the failed messages, and the log. */
async function run(
  Records: SQSRecord[],
  bad: number[] = [],
  hidingFails = false,
  failure = new Error('secret cause'),
) {
  const hidden: Hiding[] = [];
  const handled: number[][] = [];
  const deliveries: Delivery[][] = [];
  const lines: string[] = [];
  const worker = serveQueue({
    message,
    queues: { index: hidingQueue(hidden, hidingFails), commit: hidingQueue(hidden, hidingFails) },
    async handle(messages, given) {
      handled.push(messages.map(({ n }) => n));
      deliveries.push(given);
      if (messages.some(({ n }) => bad.includes(n))) throw failure;
    },
  });
  const spy = jest.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  try {
    const { batchItemFailures } = await worker({ Records } as SQSEvent, {
      getRemainingTimeInMillis: () => 299_500,
    });
    return {
      handled,
      hidden,
      deliveries,
      lines,
      failed: batchItemFailures.map((item) => item.itemIdentifier),
    };
  } finally {
    spy.mockRestore();
  }
}

describe('serveQueue', () => {
  it('delays messages on a full disk, and the messages after them, without counting the delivery', async () => {
    const records = [record('a', '{"n":1}', 'g', 3), record('b', '{"n":2}', 'g', 3), record('c', '{"n":3}')];
    const full = Object.assign(new Error('no room'), { code: 'ENOSPC' });
    const { failed, hidden } = await run(records, [1], false, full);
    expect(failed).toEqual(['a', 'b']);
    expect(hidden.slice(3)).toEqual([
      ['receipt-a', 30, 'uncounted'],
      ['receipt-b', 30, 'uncounted'],
    ]);
  });

  it('delivers each message of a standard queue separately', async () => {
    const { handled, failed, deliveries, lines } = await run([
      record('a', '{"n":1}'),
      record('b', '{"n":2}', undefined, 4),
    ]);
    expect(handled).toEqual([[1], [2]]);
    expect(deliveries).toEqual([
      [{ messageId: 'a', receiveCount: 1 }],
      [{ messageId: 'b', receiveCount: 4 }],
    ]);
    expect([failed, lines]).toEqual([[], []]);
  });

  it('returns only failed messages to the queue', async () => {
    const records = [1, 2, 3, 4].map((n) => record(`m${n}`, `{"n":${n}}`));
    const { handled, failed } = await run(records, [2, 4]);
    expect(handled).toEqual([[1], [2], [3], [4]]);
    expect(failed).toEqual(['m2', 'm4']);
  });

  it.each([['{'], [''], ['null'], ['{"n":"1"}'], ['{"n":1,"more":1}']])(
    'returns the message %j, and handles the others',
    async (body) => {
      const { handled, failed } = await run([record('bad', body), record('good', '{"n":1}')]);
      expect(handled).toEqual([[1]]);
      expect(failed).toEqual(['bad']);
    },
  );

  it('delivers all messages of a FIFO group together, in order', async () => {
    const records = [
      record('a1', '{"n":1}', 'a'),
      record('b1', '{"n":10}', 'b'),
      record('a2', '{"n":2}', 'a'),
      record('a3', '{"n":3}', 'a'),
    ];
    const { handled, failed } = await run(records);
    expect(handled).toEqual([[1, 2, 3], [10]]);
    expect(failed).toEqual([]);
  });

  it.each([
    ['fails', '{"n":2}', [[1, 2, 3], [10]], ['a1', 'a2', 'a3']],
    ["can't be read: that one alone", '{', [[1, 3], [10]], ['a2']],
  ])('returns only the group in which one message %s', async (_name, body, expected, back) => {
    const records = [
      record('a1', '{"n":1}', 'a'),
      record('a2', body, 'a'),
      record('b1', '{"n":10}', 'b'),
      record('a3', '{"n":3}', 'a'),
    ];
    const { handled, failed } = await run(records, [2]);
    expect(handled).toEqual(expected);
    expect(failed).toEqual(back);
  });

  it.each([
    ['third', 'up to the one that fails', 3, [[1], [2]], ['a2', 'a3']],
    ['fourth', 'past the one that fails', 4, [[1], [2], [3]], ['a2']],
  ])('delivers messages one by one at the %s delivery, %s', async (_name, _how, receives, expected, back) => {
    const records = [1, 2, 3].map((n) => record(`a${n}`, `{"n":${n}}`, 'a', receives));
    const { handled, failed } = await run(records, [2]);
    expect(handled).toEqual(expected);
    expect(failed).toEqual(back);
  });

  it('hides messages in progress until its timeout, and failed messages for their backoff', async () => {
    const records = [record('a', '{"n":1}'), record('b', '{"n":2}', undefined, 3), record('c', '{')];
    const { hidden } = await run(records, [2]);
    expect(hidden.slice(0, 3)).toEqual(['a', 'b', 'c'].map((name) => [`receipt-${name}`, 315]));
    expect(hidden.slice(3).sort()).toEqual([
      ['receipt-b', 60],
      ['receipt-c', 2],
    ]);
  });

  it("works and reports failures if it can't hide messages", async () => {
    const { handled, failed, lines } = await run([record('a', '{"n":1}'), record('b', '{"n":2}')], [2], true);
    expect([handled, failed]).toEqual([[[1], [2]], ['b']]);
    expect(lines.join('')).toContain('not hidden');
  });

  it('delivers messages of one group of a standard queue separately', async () => {
    const records = [1, 2].map((n) => record(`m${n}`, `{"n":${n}}`));
    for (const { attributes } of records) attributes.MessageGroupId = 'workspace';
    expect((await run(records)).handled).toEqual([[1], [2]]);
  });

  it('logs which messages failed and why, but never their content', async () => {
    const { lines } = await run([record('a', '{"n":4711}'), record('b', '{"hunter2":1}')], [4711]);
    expect(lines.join('')).toMatch(/"messageIds":"a".*secret cause/);
    expect(lines.join('')).not.toContain('4711');
  });

  it('returns for an empty batch', async () => {
    expect((await run([])).failed).toEqual([]);
  });
});
