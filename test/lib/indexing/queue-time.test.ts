import { describe, expect, it } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import { deliver } from '../../../infra/local/poller.ts';
import { commitMessages } from '../../../lib/indexing/commit/commit.ts';
import { failStalledSyncs } from '../../../lib/indexing/fail-stalled-syncs.ts';
import { handleIndexMessage } from '../../../lib/indexing/handle-index-message.ts';
import {
  commitMessageSchema,
  type IndexMessage,
  indexMessageSchema,
} from '../../../lib/indexing/messages.ts';
import { readIndexState } from '../../../lib/indexing/read-index-state.ts';
import { startSync } from '../../../lib/indexing/sync.ts';
import { setLogLevel } from '../../../lib/log.ts';
import { serveQueue } from '../../../lib/queue/worker.ts';
import { startPipeline, takeAll } from '../../support/pipeline.ts';

setLogLevel('error');
process.stdout.write = (() => true) as typeof process.stdout.write; // the errors below are intentional

const { ports, syncPorts, now, makeWorkspace } = await startPipeline();
const context = { getRemainingTimeInMillis: () => 300_000 };

/** Called before the worker's own work. A dead worker reports nothing more. */
const faults = { index: async (_message: IndexMessage, _receives: number) => {}, commit: async () => {} };

class Death extends Error {}

const workers = {
  index: serveQueue({
    message: indexMessageSchema,
    queues: { index: ports.indexQueue, touch: ports.touchQueue },
    async handle([message], [delivery]) {
      if (message === undefined || delivery === undefined) return;
      await faults.index(message, delivery.receiveCount);
      await handleIndexMessage(ports, message, delivery);
    },
  }),
  commit: serveQueue({
    message: commitMessageSchema,
    queues: { commit: ports.commitQueue },
    async handle(messages) {
      await faults.commit();
      await commitMessages(ports, messages);
    },
  }),
};

/** A dead worker returns nothing, so its reports are lost. */
function invoke(worker: (typeof workers)['index'], died: Promise<never>) {
  return (event: SQSEvent) => Promise.race([worker(event, context), died]);
}

let die: (reason: Death) => void = () => {};

/** Delivers one batch of a queue, as SQS and Lambda would at this moment. Returns the number of messages. */
async function poll(name: 'index' | 'commit'): Promise<number> {
  const queue = name === 'index' ? ports.indexQueue : ports.commitQueue;
  const batchSize = name === 'index' ? 1 : 10;
  const { promise: died, reject } = Promise.withResolvers<never>();
  died.catch(() => undefined);
  die = reject;
  const worker = { function: name, batchSize, maximumConcurrency: 1 };
  const places = { waits: false, streams: false, slow: false, quick: false };
  const fifo = name === 'commit';
  const definition = { name, fifo, visibilityTimeoutSeconds: 1800, worker: { ...worker, ...places } };
  const messages = await queue.receive({ max: batchSize });
  const options = { definition, queue, concurrency: 1, invoke: invoke(workers[name], died) };
  if (messages.length > 0) await deliver(options, messages);
  return messages.length;
}

/** Runs both workers, and the watch every minute, until the condition is met. Returns the elapsed seconds. */
async function secondsUntil(holds: () => Promise<boolean>, atMost = 10 * 3600): Promise<number> {
  for (let seconds = 0; seconds <= atMost; seconds++) {
    while ((await poll('index')) + (await poll('commit')) > 0);
    if (await holds()) return seconds;
    if (seconds % 60 === 0) await failStalledSyncs(ports);
    now.offsetMs += 1000;
  }
  throw new Error('it did not come about');
}

async function syncOf(files: Record<string, string>) {
  const workspace = await makeWorkspace();
  for (const [path, text] of Object.entries(files)) await workspace.write(path, text);
  now.offsetMs += 100;
  await startSync(syncPorts(), workspace.id);
  const state = () => readIndexState(ports.records, workspace.id);
  const isOver = async () => ['ready', 'failed'].includes((await state()).status);
  return { ...workspace, state, isOver };
}

describe('workspace whose commits fail once', () => {
  it('waits for seconds, not for the visibility timeout of its queue', async () => {
    const sync = await syncOf({ 'a.md': 'a giraffe', 'b.md': 'a walrus' });
    let failures = 0;
    faults.commit = async () => {
      if (failures++ === 1) throw new Error('the store did not answer');
    };
    expect(await secondsUntil(sync.isOver)).toBeLessThanOrEqual(5);
    faults.commit = async () => {};
    expect(failures).toBeGreaterThan(2);
    expect(await sync.state()).toMatchObject({ status: 'ready', newCount: 2 });
  });
});

describe('file that kills its worker each time', () => {
  it('is dead-lettered before its sync counts as dead, and affects no other file', async () => {
    const sync = await syncOf({ 'bad.md': 'a bomb', 'good.md': 'a giraffe' });
    faults.index = async (message, receives) => {
      if (message.kind !== 'files' || !message.files.some(({ path }) => path === 'bad.md')) return;
      // Split or dead-lettered without being read.
      if (message.files.length > 1 ? receives >= 3 : receives >= 4) return;
      die(new Death('out of memory'));
      await new Promise(() => {});
    };
    const seconds = await secondsUntil(sync.isOver);
    faults.index = async () => {};
    expect(seconds).toBeGreaterThan(5 * 300);
    expect(seconds).toBeLessThan(30 * 60);
    expect(await sync.state()).toMatchObject({ status: 'ready', newCount: 1, failedCount: 1 });
    expect(await sync.found('giraffe')).toEqual(['good.md']);
  });
});

describe('watch over syncs', () => {
  const HOUR_MS = 3600_000;

  /** Runs the scheduler tick of each minute while no worker receives messages. */
  async function passWithoutWorkers(hours: number): Promise<void> {
    for (let minute = 0; minute < hours * 60; minute++) {
      now.offsetMs += 60_000;
      await failStalledSyncs(ports);
    }
  }

  it('keeps a sync alive if its messages wait for many hours behind others', async () => {
    const sync = await syncOf({ 'a.md': 'a giraffe' });
    await passWithoutWorkers(6);
    expect((await sync.state()).status).toBe('scanning');
    while ((await poll('index')) > 0);
    await passWithoutWorkers(6); // now its commits wait
    expect((await sync.state()).status).toBe('scanning');
    await secondsUntil(sync.isOver);
    expect((await sync.state()).status).toBe('ready');
  });

  it('declares a sync dead if its messages are lost, an hour after its last heartbeat', async () => {
    const sync = await syncOf({ 'a.md': 'a giraffe' });
    await takeAll(ports.indexQueue); // its scan is lost
    const seconds = await secondsUntil(sync.isOver);
    expect(seconds).toBeGreaterThan(3400);
    expect(seconds).toBeLessThan(3900);
    expect(await sync.state()).toMatchObject({ status: 'failed', errors: [{ path: '' }] });
  });

  it('joins a waiting sync, but replaces a dead one', async () => {
    const sync = await syncOf({ 'a.md': 'a giraffe' });
    const first = (await sync.state()).syncId;
    now.offsetMs += 2 * HOUR_MS;
    expect(await startSync(syncPorts(), sync.id)).toBe(first);
    await takeAll(ports.indexQueue);
    await secondsUntil(sync.isOver);
    expect(await startSync(syncPorts(), sync.id)).not.toBe(first);
    await secondsUntil(async () => (await sync.state()).status === 'ready');
  });
});
