import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { FunctionTimeout } from '../../../infra/local/lambda-runtime.ts';
import { createWorkerPool } from '../../../infra/local/worker-pool.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';

const ENTRY = pathToFileURL(resolve(import.meta.dirname, '../../../infra/local/worker-thread.ts'));
const folder = await tempFolder();
const file = join(folder, 'handler.mjs');
await writeFile(
  file,
  `import { appendFileSync, readFileSync } from 'node:fs';
  import { threadId } from 'node:worker_threads';
  export async function handler({ does, value }, context) {
    if (does === 'throw') throw new Error('the handler’s own error');
    if (does === 'loop') for (;;);
    if (does === 'crash') setImmediate(() => { throw new Error('outside any promise'); });
    if (does === 'exit') process.exit(3);
    if (does === 'meet') {
      appendFileSync(import.meta.filename + '.met', '.');
      while (readFileSync(import.meta.filename + '.met').length < value) await new Promise((done) => setTimeout(done, 10));
    }
    if (does === 'crash' || does === 'wait') await new Promise((done) => setTimeout(done, value ?? 300));
    return { value, threadId, left: context.getRemainingTimeInMillis() };
  }`,
);
const module = pathToFileURL(file).href;

function makePool(size: number, callsAtOnce?: number) {
  const pool = createWorkerPool(ENTRY, size, callsAtOnce);
  whenDone(() => pool.close());
  return (event: Record<string, unknown>, timeoutMs = 60_000) =>
    pool.run(module, event, { timeoutMs, toldMs: timeoutMs }) as Promise<{
      value: unknown;
      threadId: number;
      left: number;
    }>;
}

describe('worker pool', () => {
  it('calls the handler in a thread with the event and the remaining time', async () => {
    const answer = await makePool(1)({ value: { deep: [1] } });
    expect(answer.value).toEqual({ deep: [1] });
    expect(answer.threadId).toBeGreaterThan(0);
    expect(answer.left).toBeLessThanOrEqual(60_000);
  });

  it('runs as many calls in parallel as it has threads, and each call once', async () => {
    const run = makePool(2);
    const answers = await Promise.all([1, 2, 3, 4, 5].map((value) => run({ value })));
    expect(answers.map(({ value }) => value)).toEqual([1, 2, 3, 4, 5]);
    expect(new Set(answers.map(({ threadId }) => threadId)).size).toBe(2);
  });

  it('assigns waiting calls to threads in turn, to all threads first', async () => {
    const run = makePool(2, 3);
    // No call ends before all six have started.
    const calls = Array.from({ length: 6 }, () => run({ does: 'meet', value: 6 }));
    const threads = (await Promise.all(calls)).map(({ threadId }) => threadId);
    expect(threads.filter((thread) => thread === threads[0])).toHaveLength(3);
  });

  it("passes on a handler's error and keeps the thread", async () => {
    const run = makePool(1);
    const { threadId } = await run({});
    await expect(run({ does: 'throw' })).rejects.toThrow('the handler’s own error');
    expect((await run({})).threadId).toBe(threadId);
  });

  it.each([
    ['that waits too long', { does: 'wait', value: 600_000 }],
    ['that blocks its thread forever', { does: 'loop' }],
  ])('terminates a handler %s, and the next calls work', async (_what, event) => {
    const run = makePool(1);
    const [slow, next, third] = await Promise.allSettled([
      run(event, 100),
      run({ value: 'next' }),
      run({ value: 'third' }),
    ]);
    expect(slow).toMatchObject({ status: 'rejected' });
    expect([next, third]).toMatchObject([{ value: { value: 'next' } }, { value: { value: 'third' } }]);
    expect((await run({ value: 'after' })).value).toBe('after');
  });

  it('reports that a thread was terminated at its timeout', async () => {
    await expect(makePool(1)({ does: 'loop' }, 50)).rejects.toBeInstanceOf(FunctionTimeout);
  });

  it.each(['crash', 'exit'])('reports a thread that dies by %s, and the next calls work', async (does) => {
    const run = makePool(1);
    const [died, next] = await Promise.allSettled([run({ does }), run({ value: 'next' })]);
    expect(died).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('died') } });
    expect(next).toMatchObject({ status: 'fulfilled', value: { value: 'next' } });
  });

  it("reports a module that can't be loaded", async () => {
    const pool = createWorkerPool(ENTRY, 1);
    whenDone(() => pool.close());
    await expect(pool.run(`${module}-missing`, {}, { timeoutMs: 60_000, toldMs: 60_000 })).rejects.toThrow(
      /Cannot find module/,
    );
  });
});
