import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { lostAfter } from '../../../../lib/indexing/read/adaptive-batching.ts';
import { embedTexts, startEmbedding } from '../../../../lib/indexing/read/embed.ts';
import { systemClock } from '../../../../lib/ports/clock.ts';
import type { Embedder } from '../../../../lib/ports/embedder.ts';

/** Responds immediately, except to the calls in `hangs`, which never get a response. */
function embedderThatHangs(hangs: (call: number) => boolean, model: string) {
  const calls: string[][] = [];
  const embedder: Embedder = {
    model,
    batchSize: 100,
    async embed(texts, { signal } = {}) {
      calls.push(texts);
      await sleep(hangs(calls.length) ? 60_000 : 2, undefined, { signal });
      return texts.map(() => Float32Array.of(1));
    },
  };
  return { embedder, calls };
}

function begin(embedder: Embedder) {
  return { ...startEmbedding({ embedder, clock: systemClock }, systemClock.now()), lostAfterMs: 100 };
}

test('embedTexts repeats a call that hangs once', async () => {
  const { embedder, calls } = embedderThatHangs((call) => call === 2, 'hangs once');
  const embedding = begin(embedder);
  await embedTexts(embedding, ['a']);
  expect(await embedTexts(embedding, ['b'])).toEqual([Float32Array.of(1)]);
  expect(calls).toEqual([['a'], ['b'], ['b']]);
  expect(embedding.failed).toBeUndefined();
});

test('embedTexts lets a call take twenty times as long as the embedder took before, in whole milliseconds', () => {
  const pace = { batch: 8, atOnce: 1, msPerText: 1000.3 };
  expect(lostAfter(pace, 3)).toBe(60_018);
  expect(lostAfter({ ...pace, msPerText: 0.1 }, 3)).toBe(10_000);
  expect(lostAfter({ ...pace, msPerText: 0 }, 3)).toBeUndefined();
});

test('embedTexts lets the first call of an unknown embedder take all the time', async () => {
  const { embedder, calls } = embedderThatHangs(() => true, 'hangs');
  const embedding = { ...begin(embedder), signal: AbortSignal.timeout(300) };
  expect(await embedTexts(embedding, ['a'])).toEqual([null]);
  expect(calls).toEqual([['a']]);
  expect(embedding.failed).toBe('It took too long.');
});
