import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { OutgoingMessage, Queue, ReceivedMessage } from '../../lib/ports/queue.ts';

export interface QueueWish {
  fifo: boolean;
  /** Whole seconds, as SQS counts them. */
  visibilityTimeoutSeconds: number;
  /** Set for a queue with a dead-letter queue of the same type. */
  maxReceiveCount?: number;
}

/** A new, empty queue with its dead-letter queue. */
export type OpenQueue = (wish: QueueWish) => Promise<{ queue: Queue; deadLetters: Queue }>;

export interface QueueDeviation {
  /**
   * On LocalStack, expired receipts of a standard queue's message still delete it and change its visibility.
   */
  oldReceiptsWork?: boolean;
  /**
   * MiniStack answers a repetition with the checksum of the first body, so the SDK reports another body as
   * corrupted.
   */
  repetitionsMustBeEqual?: boolean;
}

/** Longer than a test may stall between two lines, because SQS counts in whole seconds. */
const SHORT_SECONDS = 6;
/** SQS's own maximum. */
const MOST_SECONDS = 20;

/** The contract of lib/ports/queue.ts. `letPass` advances the queue's time. */
export function describeQueue(
  name: string,
  open: OpenQueue,
  deviation: QueueDeviation = {},
  letPass = (seconds: number): Promise<unknown> => sleep(seconds * 1000),
): void {
  const standard = { fifo: false, visibilityTimeoutSeconds: 30 };
  const fifo = { fifo: true, visibilityTimeoutSeconds: 30 };

  /** Returns all messages that can be received within a short time, in order. */
  async function drain(queue: Queue, waitSeconds = 0): Promise<ReceivedMessage[]> {
    const all: ReceivedMessage[] = [];
    for (;;) {
      const some = await queue.receive({ max: 10, waitSeconds });
      if (some.length === 0) return all;
      all.push(...some);
    }
  }

  async function receiveOne(queue: Queue, waitSeconds = MOST_SECONDS): Promise<ReceivedMessage> {
    const [message] = await queue.receive({ max: 1, waitSeconds });
    if (message === undefined) throw new Error('nothing was received');
    return message;
  }

  const bodies = (messages: ReceivedMessage[]) => messages.map(({ body }) => JSON.parse(body) as unknown);
  const grouped = (groupId: string, ...texts: unknown[]): OutgoingMessage[] =>
    texts.map((body) => ({ body, groupId }));

  describe(`${name}: Queue`, () => {
    describe('standard queue', () => {
      let queue: Queue;
      beforeEach(async () => {
        ({ queue } = await open(standard));
      });

      it('delivers the message with its number, time, and JSON', async () => {
        const before = Date.now();
        const body = { text: 'ж"\u2028😀\n', list: [1, null], deep: { a: true } };
        await queue.send([{ body }]);
        const message = await receiveOne(queue);
        expect(JSON.parse(message.body)).toEqual(body);
        expect(message).toMatchObject({ receiveCount: 1, messageId: expect.stringMatching(/./) });
        expect(message.groupId).toBeUndefined();
        expect(message.sentAt).toBeGreaterThan(before - 1000);
        expect(message.sentAt).toBeLessThan(Date.now() + 1000);
      });

      it('accepts and returns a group', async () => {
        await queue.send(grouped('workspace', 1));
        expect(await receiveOne(queue)).toMatchObject({ groupId: 'workspace' });
      });

      it('transfers a body far over 256 KB', async () => {
        const text = 'x'.repeat(3_000_000);
        await queue.send([{ body: { text } }]);
        expect(bodies(await queue.receive({ max: 1, waitSeconds: MOST_SECONDS }))).toEqual([{ text }]);
      });

      it('accepts more messages than one batch, and returns at most ten at a time', async () => {
        await queue.send(Array.from({ length: 35 }, (_, index) => ({ body: index })));
        expect((await queue.receive({ max: 100 })).length).toBeLessThanOrEqual(10);
        expect((await queue.receive({ max: 3 })).length).toBeLessThanOrEqual(3);
        const rest = await drain(queue);
        expect(rest.length).toBeGreaterThanOrEqual(35 - 13);
        expect(new Set(rest.map(({ messageId }) => messageId)).size).toBe(rest.length);
      });

      it('accepts an empty list', async () => {
        await queue.send([]);
        await queue.delete([]);
        expect(await queue.receive({ max: 10 })).toEqual([]);
      });

      it('hides a received message from other receivers', async () => {
        await queue.send([{ body: 1 }]);
        await receiveOne(queue);
        expect(await queue.receive({ max: 10 })).toEqual([]);
      });

      it('forgets a deleted message, and ignores a second deletion', async () => {
        await queue.send([{ body: 1 }]);
        const { receipt } = await receiveOne(queue);
        await queue.delete([receipt]);
        await queue.delete([receipt]);
        expect(await queue.depth()).toEqual({ waiting: 0, inFlight: 0, delayed: 0 });
      });

      it('returns a message immediately with its count increased', async () => {
        await queue.send([{ body: 'again' }]);
        const first = await receiveOne(queue);
        await queue.changeVisibility(first.receipt, 0);
        const second = await receiveOne(queue);
        expect(second).toMatchObject({ messageId: first.messageId, receiveCount: 2, sentAt: first.sentAt });
        expect(second.receipt).not.toBe(first.receipt);
      });

      it('delays a message', async () => {
        await queue.send([{ body: 'later', delaySeconds: SHORT_SECONDS }, { body: 'now' }]);
        expect(bodies(await drain(queue))).toEqual(['now']);
        expect((await queue.depth()).delayed).toBe(1);
        await letPass(SHORT_SECONDS);
        expect(bodies([await receiveOne(queue)])).toEqual(['later']);
      });

      it.each([[-1], [901]])('refuses a delay of %i seconds', async (delaySeconds) => {
        await expect(queue.send([{ body: 1, delaySeconds }])).rejects.toThrow();
        expect(await drain(queue)).toEqual([]);
      });

      it('counts waiting, delayed, and in-flight messages', async () => {
        await queue.send([{ body: 1 }, { body: 2 }, { body: 3 }, { body: 4, delaySeconds: 60 }]);
        await receiveOne(queue);
        expect(await queue.depth()).toEqual({ waiting: 2, inFlight: 1, delayed: 1 });
      });

      it('delivers a message to one of many receivers', async () => {
        await queue.send(Array.from({ length: 40 }, (_, index) => ({ body: index })));
        const taken = (await Promise.all(Array.from({ length: 8 }, () => drain(queue)))).flat();
        expect(bodies(taken).sort((a, b) => Number(a) - Number(b))).toEqual(
          Array.from({ length: 40 }, (_, index) => index),
        );
      });

      it('wakes a waiting receiver', async () => {
        const since = Date.now();
        const waiting = receiveOne(queue);
        await sleep(50);
        await queue.send([{ body: 'hello' }]);
        expect(bodies([await waiting])).toEqual(['hello']);
        expect(Date.now() - since).toBeLessThan(15_000);
      });

      it('waits at most for the given time', async () => {
        const since = Date.now();
        expect(await queue.receive({ max: 1, waitSeconds: 1 })).toEqual([]);
        expect(Date.now() - since).toBeGreaterThan(900);
        expect(Date.now() - since).toBeLessThan(15_000);
      });

      it('keeps its messages apart from those of another queue', async () => {
        const { queue: other } = await open(standard);
        await queue.send([{ body: 1 }]);
        const { receipt } = await receiveOne(queue);
        await other.delete([receipt]).catch(() => {});
        await other.changeVisibility(receipt, 0).catch(() => {});
        expect(await queue.depth()).toMatchObject({ inFlight: 1 });
        expect(await drain(other)).toEqual([]);
      });
    });

    describe('visibility', () => {
      it('returns a message after its timeout and ignores the old receipt', async () => {
        const { queue } = await open({ ...standard, visibilityTimeoutSeconds: SHORT_SECONDS });
        await queue.send([{ body: 1 }]);
        const first = await receiveOne(queue);
        await letPass(SHORT_SECONDS);
        const second = await receiveOne(queue);
        expect(second).toMatchObject({ messageId: first.messageId, receiveCount: 2 });
        await queue.changeVisibility(second.receipt, 30);
        if (!deviation.oldReceiptsWork) {
          await queue.changeVisibility(first.receipt, 0);
          await queue.delete([first.receipt]);
        }
        expect(await queue.receive({ max: 1 })).toEqual([]);
        expect(await queue.depth()).toMatchObject({ inFlight: 1 });
        await queue.delete([second.receipt]);
        expect(await queue.depth()).toMatchObject({ inFlight: 0 });
      });

      it('can be extended', async () => {
        const { queue } = await open({ ...standard, visibilityTimeoutSeconds: SHORT_SECONDS });
        await queue.send([{ body: 1 }]);
        const { receipt } = await receiveOne(queue);
        await queue.changeVisibility(receipt, 30);
        await letPass(SHORT_SECONDS + 1);
        expect(await queue.receive({ max: 1 })).toEqual([]);
      });
    });

    describe.each([standard, fifo])('dead-letter queue of %j', (kind) => {
      it('gets a message that was received too often, complete and with a new count', async () => {
        const { queue, deadLetters } = await open({ ...kind, maxReceiveCount: 2 });
        await queue.send([{ body: { a: 1 }, ...(kind.fifo && { groupId: 'g' }) }]);
        for (const count of [1, 2]) {
          const message = await receiveOne(queue);
          expect(message.receiveCount).toBe(count);
          await queue.changeVisibility(message.receipt, 0);
        }
        expect(await drain(queue, 1)).toEqual([]);
        const letter = await receiveOne(deadLetters);
        expect(JSON.parse(letter.body)).toEqual({ a: 1 });
        expect(await queue.depth()).toEqual({ waiting: 0, inFlight: 0, delayed: 0 });
      });
    });

    it('is optional, and without it, a message is redelivered forever', async () => {
      const { queue } = await open(standard);
      await queue.send([{ body: 1 }]);
      for (let count = 1; count <= 12; count++) {
        const message = await receiveOne(queue);
        expect(message.receiveCount).toBe(count);
        await queue.changeVisibility(message.receipt, 0);
      }
    });

    describe('FIFO queue', () => {
      let queue: Queue;
      beforeEach(async () => {
        ({ queue } = await open(fifo));
      });

      it('delivers in the order of sending, batch after batch', async () => {
        const texts = Array.from({ length: 25 }, (_, index) => index);
        await queue.send(grouped('g', ...texts));
        const seen: unknown[] = [];
        while (seen.length < texts.length) {
          const batch = await queue.receive({ max: 10, waitSeconds: MOST_SECONDS });
          expect(batch.every(({ groupId }) => groupId === 'g')).toBe(true);
          seen.push(...bodies(batch));
          await queue.delete(batch.map(({ receipt }) => receipt));
        }
        expect(seen).toEqual(texts);
      });

      it('blocks only the group with a batch in flight', async () => {
        await queue.send(grouped('a', 1, 2));
        const first = await receiveOne(queue);
        await queue.send(grouped('b', 3));
        const [other, ...none] = await queue.receive({ max: 10, waitSeconds: MOST_SECONDS });
        expect([other?.groupId, none]).toEqual(['b', []]);
        expect(await queue.receive({ max: 10 })).toEqual([]);
        await queue.delete([first.receipt]);
        expect(bodies([await receiveOne(queue)])).toEqual([2]);
      });

      it('redelivers the same message first', async () => {
        await queue.send(grouped('g', 1, 2, 3));
        const { receipt } = await receiveOne(queue);
        await queue.changeVisibility(receipt, 0);
        const batch = await queue.receive({ max: 10, waitSeconds: MOST_SECONDS });
        expect(bodies(batch).slice(0, 1)).toEqual([1]);
        expect(bodies(batch)).toEqual([1, 2, 3].slice(0, batch.length));
        expect(batch[0]?.receiveCount).toBe(2);
      });

      it('unblocks a group when its batch was not deleted in time', async () => {
        const { queue: short } = await open({ ...fifo, visibilityTimeoutSeconds: SHORT_SECONDS });
        await short.send(grouped('g', 1, 2));
        await receiveOne(short);
        await letPass(SHORT_SECONDS);
        expect(bodies([await receiveOne(short)])).toEqual([1]);
      });

      it('wakes a waiting receiver when the group is free', async () => {
        await queue.send(grouped('g', 1, 2));
        const { receipt } = await receiveOne(queue);
        const since = Date.now();
        const waiting = receiveOne(queue);
        await sleep(50);
        await queue.delete([receipt]);
        expect(bodies([await waiting])).toEqual([2]);
        expect(Date.now() - since).toBeLessThan(15_000);
      });

      it('drops a message with the same deduplication ID in its group', async () => {
        const send = (body: unknown, groupId: string, deduplicationId?: string) =>
          queue.send([{ body, groupId, ...(deduplicationId && { deduplicationId }) }]);
        const other = (body: string) => (deviation.repetitionsMustBeEqual ? 'first' : body);
        await send('first', 'a', 'id-1');
        await send(other('other body'), 'a', 'id-1');
        await send('third', 'a', 'id-2');
        const seen: unknown[] = [];
        for (
          let batch = await queue.receive({ max: 10 });
          batch.length > 0;
          batch = await queue.receive({ max: 10 })
        ) {
          seen.push(...bodies(batch));
          await queue.delete(batch.map(({ receipt }) => receipt));
        }
        expect(seen).toEqual(['first', 'third']);
        await send(other('after its deletion'), 'a', 'id-1');
        expect(await queue.receive({ max: 10 })).toEqual([]);
        await send('other group', 'b', 'id-1');
        expect(bodies([await receiveOne(queue)])).toEqual(['other group']);
      });

      it('also drops a duplicate within one call', async () => {
        const message = { body: 1, groupId: 'g', deduplicationId: 'x' };
        await queue.send([message, message]);
        expect((await queue.depth()).waiting).toBe(1);
      });

      it('treats equal messages without an ID as different', async () => {
        await queue.send(grouped('g', 'same', 'same'));
        await queue.send(grouped('g', 'same'));
        expect((await queue.depth()).waiting).toBe(3);
      });

      it('delivers one batch of a group to one of many receivers', async () => {
        await queue.send(['a', 'b', 'c'].flatMap((group) => grouped(group, 1, 2, 3)));
        const batches = await Promise.all(Array.from({ length: 8 }, () => queue.receive({ max: 3 })));
        const groups = batches.flatMap((batch) => [...new Set(batch.map(({ groupId }) => groupId))]);
        expect(new Set(groups).size).toBe(groups.length);
      });

      it('continues with a group when its first message moves to the dead-letter queue', async () => {
        const { queue: once } = await open({ ...fifo, maxReceiveCount: 1 });
        await once.send(grouped('g', 'poison', 'fine'));
        await once.changeVisibility((await receiveOne(once)).receipt, 0);
        expect(bodies([await receiveOne(once)])).toEqual(['fine']);
      });

      it('requires a group', async () => {
        await expect(queue.send([{ body: 1 }])).rejects.toThrow();
      });

      it('rejects a delay of a single message', async () => {
        await expect(queue.send([{ body: 1, groupId: 'g', delaySeconds: 5 }])).rejects.toThrow();
      });
    });
  });
}
