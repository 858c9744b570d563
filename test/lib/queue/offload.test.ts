import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import { readServiceFile } from '../../../infra/local/service-file.ts';
import { diskObjects } from '../../../lib/adapters/disk/objects.ts';
import type { Objects } from '../../../lib/ports/objects.ts';
import { backOffAfter } from '../../../lib/queue/back-off.ts';
import { MISSING_MS, OFFLOAD_OVER_BYTES, offloadBody, resolveBody } from '../../../lib/queue/offload.ts';
import { serveQueue } from '../../../lib/queue/worker.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const large = JSON.stringify({ n: 1, text: 'ж'.repeat(OFFLOAD_OVER_BYTES) });

async function openObjects(): Promise<Objects> {
  return diskObjects(await tempFolder(), () => Promise.reject(new Error('not here')));
}

function record(messageId: string, body: string, groupId?: string, sentAt = Date.now()): SQSRecord {
  const SentTimestamp = String(sentAt);
  const attributes = {
    ApproximateReceiveCount: '1',
    SentTimestamp,
    ...(groupId && { MessageGroupId: groupId }),
  };
  const eventSourceARN = groupId === undefined ? 'standard' : 'queue.fifo';
  return { messageId, body, attributes, eventSourceARN } as unknown as SQSRecord;
}

/** Runs a worker that fails on the numbers in `bad`. Returns its input and the failed messages. */
async function run(Records: SQSRecord[], objects: Objects | undefined, bad: number[] = []) {
  const handled: number[] = [];
  const worker = serveQueue({
    message: z.object({ n: z.int(), text: z.string().optional() }),
    queues: {},
    ...(objects && { objects }),
    async handle(messages) {
      handled.push(...messages.map(({ n }) => n));
      if (messages.some(({ n }) => bad.includes(n))) throw new Error('bad');
    },
  });
  const { batchItemFailures } = await worker({ Records } as SQSEvent, {
    getRemainingTimeInMillis: () => 60_000,
  });
  return { handled, failed: batchItemFailures.map((item) => item.itemIdentifier) };
}

describe('offloadBody', () => {
  it('keeps a small body, and stores a large one separately', async () => {
    const objects = await openObjects();
    const small = 'x'.repeat(OFFLOAD_OVER_BYTES);
    expect(await offloadBody(objects, small, 'id')).toBe(small);
    const pointer = await offloadBody(objects, `${small}x`, 'id');
    expect(pointer.length).toBeLessThan(100);
    expect(await resolveBody(objects, pointer, Date.now())).toBe(`${small}x`);
  });

  it.each([
    ['{"offloadedTo":"uploads/secret"}'],
    ['{"offloadedTo":"queue/../a"}'],
    ['{"offloadedTo":"queue/"}'],
  ])("treats %s as a body, because it doesn't reference an offloaded body", async (text) => {
    expect(await resolveBody(await openObjects(), text, Date.now())).toBe(text);
  });
});

describe('serveQueue with large bodies', () => {
  it('handles a message, and then removes its body', async () => {
    const objects = await openObjects();
    const pointer = await offloadBody(objects, large, 'id');
    expect(await run([record('a', pointer)], objects)).toEqual({ handled: [1], failed: [] });
    expect(await resolveBody(objects, pointer, Date.now())).toBeUndefined();
  });

  it('keeps a body whose handling failed', async () => {
    const objects = await openObjects();
    const pointer = await offloadBody(objects, large, 'id');
    expect((await run([record('a', pointer)], objects, [1])).failed).toEqual(['a']);
    expect(await resolveBody(objects, pointer, Date.now())).toBe(large);
  });

  it('treats a redelivery as done if the first delivery removed the body', async () => {
    const objects = await openObjects();
    const pointer = await offloadBody(objects, large, 'id');
    const records = [record('a', pointer, 'g'), record('b', '{"n":2}', 'g')];
    await run(records, objects);
    expect(await run(records, objects)).toEqual({ handled: [2], failed: [] });
  });

  it('returns the whole group while a body is unavailable, to keep the order', async () => {
    const objects = await openObjects();
    const pointer = await offloadBody(objects, large, 'id');
    const failing = { ...objects, getBytes: () => Promise.reject(new Error('no answer')) };
    const records = [record('a', pointer, 'g'), record('b', '{"n":2}', 'g'), record('c', '{"n":3}', 'other')];
    expect(await run(records, failing)).toEqual({ handled: [3], failed: ['a', 'b'] });
    expect(await run(records.slice(0, 2), objects)).toEqual({ handled: [1, 2], failed: [] });
  });

  it('treats the work as done if only the removal of the body fails', async () => {
    const objects = await openObjects();
    const pointer = await offloadBody(objects, large, 'id');
    const failing = { ...objects, delete: () => Promise.reject(new Error('no answer')) };
    expect(await run([record('a', pointer)], failing)).toEqual({ handled: [1], failed: [] });
  });

  it('returns a reference without a configured object store', async () => {
    const pointer = await offloadBody(await openObjects(), large, 'id');
    expect(await run([record('a', pointer)], undefined)).toEqual({ handled: [], failed: ['a'] });
  });

  it('waits with the whole group for a missing body, and handles it when it appears', async () => {
    const objects = await openObjects();
    const pointer = await offloadBody(objects, large, 'id');
    const unseen = { ...objects, getBytes: async () => undefined, isDeleted: async () => false };
    const records = [record('a', pointer, 'g'), record('b', '{"n":2}', 'g'), record('c', '{"n":3}', 'other')];
    expect(await run(records, unseen)).toEqual({ handled: [3], failed: ['a', 'b'] });
    expect(await run(records.slice(0, 2), objects)).toEqual({ handled: [1, 2], failed: [] });
  });

  it('treats a message as done if its body has been missing for long', async () => {
    const objects = await openObjects();
    const pointer = await offloadBody(objects, large, 'id');
    const unseen = { ...objects, getBytes: async () => undefined, isDeleted: async () => false };
    const sent = (ago: number) => record('a', pointer, 'g', Date.now() - ago);
    expect((await run([sent(MISSING_MS - 60_000)], unseen)).failed).toEqual(['a']);
    expect((await run([sent(MISSING_MS + 1)], unseen)).failed).toEqual([]);
  });
});

describe('missing body', () => {
  it('is awaited for fewer receives than the limit of the dead-letter queue', () => {
    const { resources } = readServiceFile(resolve(import.meta.dirname, '../../../serverless.yml'));
    const counts = Object.values(resources).flatMap(({ Properties }) => {
      const policy = Properties?.RedrivePolicy as { maxReceiveCount: number } | undefined;
      return policy?.maxReceiveCount ?? [];
    });
    expect(counts.length).toBeGreaterThan(0);
    for (const count of counts) {
      const waits = Array.from({ length: count - 1 }, (_, index) => backOffAfter(index + 1));
      expect(waits.reduce((sum, seconds) => sum + seconds) * 1000).toBeGreaterThan(MISSING_MS);
    }
  });
});
