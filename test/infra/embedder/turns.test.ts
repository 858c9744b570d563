import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { type Kind, oneRunAtATime } from '../../../infra/embedder/turns.ts';

/** Starts a run that takes until `end()`, and others that wait for it. Returns the order of their ends. */
async function orderOf(kinds: Kind[], turns = oneRunAtATime()): Promise<Kind[]> {
  const first = Promise.withResolvers<void>();
  const ended: Kind[] = [];
  const running = turns.run('passages', () => first.promise);
  const waiting = kinds.map((kind) => turns.run(kind, async () => void ended.push(kind)));
  expect(turns.waiting()).toBe(kinds.length);
  await sleep(20);
  first.resolve();
  await Promise.all([running, ...waiting]);
  return ended;
}

it('turns prefer questions, then search pairs, then passages', async () => {
  expect(await orderOf(['passages', 'pair', 'pair', 'question', 'passages'])).toEqual([
    ...['question', 'pair', 'pair', 'passages', 'passages'],
  ]);
});

it('turns prefer passages that have waited for long, one run at a time', async () => {
  const ended = await orderOf(['pair', 'passages', 'question'], oneRunAtATime(1));
  expect(ended).toEqual(['passages', 'question', 'pair']);
});

it('turns prefer the next run of the same request to other requests', async () => {
  const turns = oneRunAtATime();
  const ended: string[] = [];
  const search = async () => {
    for (const pair of ['first', 'second', 'third'])
      await turns.run('pair', async () => void ended.push(pair));
  };
  await Promise.all([search(), turns.run('passages', async () => void ended.push('passages'))]);
  expect(ended).toEqual(['first', 'second', 'third', 'passages']);
});

it('turns continue after a failed run', async () => {
  const turns = oneRunAtATime();
  const failed = turns.run('pair', () => Promise.reject(new Error('out of range')));
  const next = turns.run('pair', async () => 'next');
  await expect(failed).rejects.toThrow('out of range');
  expect(await next).toBe('next');
});
