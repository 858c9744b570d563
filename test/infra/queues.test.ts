import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type QueueWithWorker, readServiceFile } from '../../infra/local/service-file.ts';
import { REST_MS } from '../../lib/indexing/commit/maintain.ts';
import { WAIT_FOR_TABLE_MS } from '../../lib/indexing/commit/only-writer.ts';
import { GIVE_UP_AT, SPLIT_AT } from '../../lib/indexing/handle-index-message.ts';
import { PROBE_AFTER_MS, SILENT_AFTER_PROBE_MS } from '../../lib/indexing/is-alive.ts';
import { backOffAfter, hiddenWhileAtWork } from '../../lib/queue/back-off.ts';

const root = resolve(import.meta.dirname, '../..');
const { functions, queues } = readServiceFile(resolve(root, 'serverless.yml'));
const fed = queues.filter(({ worker }) => worker !== undefined);

function workerOf({ worker }: QueueWithWorker) {
  const found = functions.find(({ name }) => name === worker?.function);
  if (found === undefined) throw new Error(`no function ${worker?.function}`);
  return found;
}

function receivesOf(name: string): number {
  return fed.find((candidate) => candidate.name === name)?.maxReceiveCount ?? 0;
}

function timeoutOf(name: string): number {
  const queue = fed.find((candidate) => candidate.name === name);
  return queue === undefined ? 0 : workerOf(queue).timeoutSeconds;
}

/**
 * Returns the seconds until the nth delivery of a message that fails each time, after `failing` seconds of
 * work.
 */
function secondsUntil(receive: number, failing: number): number {
  const receives = Array.from({ length: receive - 1 }, (_, index) => index + 1);
  return receives.reduce((sum, count) => sum + failing + backOffAfter(count), 0);
}

describe('the event sources of the queues', () => {
  it('have a concurrency of at least two, as AWS requires', () => {
    for (const { name, worker } of fed)
      expect([name, (worker?.maximumConcurrency ?? 0) >= 2]).toEqual([name, true]);
  });

  it("reserve a share for small changes and maintenance that imports can't use", () => {
    const lanes = fed.filter(({ name }) => ['index', 'touch'].includes(name));
    expect(new Set(lanes.map(({ worker }) => worker?.function))).toEqual(new Set(['index-worker']));
    expect(fed.find(({ name }) => name === 'maintain')?.worker?.function).toBe('maintain-worker');
  });
});

describe('a message that fails', () => {
  it.each(fed.map((queue) => [queue.name, queue] as const))(
    'is retried after seconds at first, and survives an outage of twenty minutes: %s',
    (_name, queue) => {
      expect(backOffAfter(1)).toBeLessThanOrEqual(5);
      expect(secondsUntil(receivesOf(queue.name), 0)).toBeGreaterThan(20 * 60);
    },
  );

  it('is retried for the same time in all queues, as the docs state', () => {
    const receives = [...new Set(fed.map(({ name }) => receivesOf(name)))];
    expect(receives).toEqual([8]);
    const lasts = secondsUntil(8, 0);
    const page = readFileSync(resolve(root, 'docs/architecture/queues.md'), 'utf8').replace(/\s+/g, ' ');
    const [first, buried] = [lasts, lasts + backOffAfter(8)].map((seconds) => Math.floor(seconds / 60));
    expect(page).toContain(`received eight times, over at least ${first} minutes (2 + 10 + 60 + 4 × 300 s)`);
    expect(page).toContain(
      `moved to the [dead-letter queue](../operate/dead-letters.md) after ${buried} minutes`,
    );
  });

  it.each(fed.map((queue) => [queue.name, queue] as const))(
    "returns after its worker's backoff before the queue's own timeout: %s",
    (_name, queue) => {
      const { timeoutSeconds } = workerOf(queue);
      expect(hiddenWhileAtWork(timeoutSeconds * 1000)).toBeGreaterThan(timeoutSeconds);
      if (queue.name !== 'bot')
        expect(hiddenWhileAtWork(timeoutSeconds * 1000)).toBeLessThan(queue.visibilityTimeoutSeconds);
    },
  );

  it('is dead-lettered as a failed file long before its sync counts as dead', () => {
    // The message kills its worker each time, so the worker reports nothing, and the message returns after
    // its visibility timeout.
    const dying = hiddenWhileAtWork(timeoutOf('index') * 1000);
    const seconds = (SPLIT_AT - 1) * dying + (GIVE_UP_AT - 1) * dying;
    expect(2 * seconds).toBeLessThanOrEqual((PROBE_AFTER_MS + SILENT_AFTER_PROBE_MS) / 1000);
    expect(secondsUntil(SPLIT_AT, 0) + secondsUntil(GIVE_UP_AT, 0)).toBeLessThan(120);
  });

  it('outlasts the longest maintenance if it is a commit that waits for the table', () => {
    const receives = receivesOf('commit');
    const waits = (WAIT_FOR_TABLE_MS / 1000) * receives + secondsUntil(receives, 0);
    expect(waits).toBeGreaterThan(timeoutOf('maintain'));
    expect(WAIT_FOR_TABLE_MS / 1000).toBeLessThanOrEqual(timeoutOf('commit') / 2);
    // A commit runs between two maintenances that end their workers, and the second starts before the commit
    // is dead-lettered.
    expect(REST_MS / 1000).toBeGreaterThan(backOffAfter(receives - 1));
    expect(REST_MS / 1000).toBeLessThan(secondsUntil(receivesOf('maintain'), 0));
  });
});
