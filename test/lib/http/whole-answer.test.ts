import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { replyWhole } from '../../../lib/http/whole-answer.ts';

const failed = (error: unknown) => ({ error: (error as Error).message });
const options = { failed, timeLeftMs: () => 60_000, afterMs: 20 };

function later<Value>(value: () => Value): () => Promise<Value> {
  return async () => {
    await new Promise((done) => setTimeout(done, 60));
    return value();
  };
}

describe('a whole answer', () => {
  it('is JSON with its own status if it is in time', async () => {
    expect(await replyWhole(async () => ({ ok: true }), options)).toMatchObject({
      status: 200,
      body: { ok: true },
    });
    await expect(replyWhole(() => Promise.reject(new Error('no')), options)).rejects.toThrow('no');
  });

  it('starts with spaces if it is late', async () => {
    const { status, headers, body } = await replyWhole(
      later(() => ({ ok: true })),
      options,
    );
    expect([status, headers?.['content-type']]).toEqual([200, 'application/json']);
    const sent = await text(body as Readable);
    expect(sent).toMatch(/^ +\{/);
    expect(JSON.parse(sent)).toEqual({ ok: true });
  });

  it('has its error in the body if it is late', async () => {
    const fails = later(() => {
      throw new Error('no');
    });
    const { body } = await replyWhole(fails, options);
    expect(JSON.parse(await text(body as Readable))).toEqual({ error: 'no' });
  });

  it('aborts the work before the platform ends the function', async () => {
    const aborted = replyWhole(
      (signal) =>
        new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason as Error))),
      { ...options, timeLeftMs: () => 6_010, afterMs: 1000 },
    );
    await expect(aborted).rejects.toMatchObject({ code: 'request_timeout' });
  });
});
