import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { createQueues, sqliteQueue } from '../../../lib/adapters/sqlite/queue.ts';
import { chatLeases } from '../../../lib/bots/schema.ts';
import { sweepChats } from '../../../lib/bots/work/sweep.ts';
import { watches } from '../../../lib/datasets/download/records.ts';
import { sweepDownloads } from '../../../lib/datasets/download/sweep.ts';
import { failStalledSyncs } from '../../../lib/indexing/fail-stalled-syncs.ts';
import { renewIndexes } from '../../../lib/indexing/renew-indexes.ts';
import { syncs } from '../../../lib/indexing/schema.ts';
import { newSync } from '../../../lib/indexing/sync.ts';
import { indexes } from '../../../lib/passages/search-space.ts';
import type { Queue } from '../../../lib/ports/queue.ts';
import type { StoredRecord } from '../../../lib/ports/records.ts';
import { runLeases, runs } from '../../../lib/runs/schema.ts';
import { sweepRuns } from '../../../lib/runs/sweep.ts';
import { enqueueDueTasks } from '../../../lib/tasks/enqueue-due-tasks.ts';
import { startAgentRig } from '../../support/agent.ts';
import { startTaskRig } from '../../support/tasks.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const LONG_AGO = '2020-01-01T00:00:00.000Z';

beforeAll(() => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
});

/** Runs all parts of the scheduler tick on one store. Each due item has a broken record before it. */
async function startTick() {
  const rig = await startAgentRig();
  const { records, clock, agentQueue } = rig.ports;
  const names = ['bot', 'maintain', 'dataset', 'index'] as const;
  createQueues(
    rig.database,
    names.map((name) => ({
      name,
      fifo: name === 'bot' || name === 'maintain',
      visibilityTimeoutSeconds: 60,
    })),
  );
  const [botQueue, maintainQueue, datasetQueue, indexQueue] = names.map((name) =>
    sqliteQueue(rig.database, name),
  ) as [Queue, Queue, Queue, Queue];
  const broken = async (key: StoredRecord['key'], index?: StoredRecord['index']) =>
    records.put({ key, index, value: { broken: true } });
  return { ...rig, records, clock, agentQueue, botQueue, maintainQueue, datasetQueue, indexQueue, broken };
}

describe('scheduler tick with unreadable records', () => {
  it('fails dead syncs', async () => {
    const { records, indexQueue, broken } = await startTick();
    await broken({ partition: 'SYNC', sort: '0' }, { partition: 'SYNC_RUNNING', sort: '0' });
    const clock = { now: () => Date.parse(LONG_AGO) };
    await syncs.create(records, newSync({ clock, space: 'lexical' }, 'w'));
    await failStalledSyncs({ records, indexQueue, clock: { now: () => Date.now() } });
    expect(await syncs.get(records, { workspaceId: 'w' })).toMatchObject({ status: 'failed' });
  });

  it('requests index renewals for workspaces, even after it lost its position', async () => {
    const { records, clock, maintainQueue, broken } = await startTick();
    await broken({ partition: 'INDEX_RENEWAL', sort: 'latest' });
    await broken({ partition: indexes.key({ workspaceId: 'w' }).partition, sort: '0' });
    await indexes.create(records, { workspaceId: 'w', space: 'lexical' });
    await renewIndexes({ records, maintainQueue, clock });
    expect(await maintainQueue.depth()).toMatchObject({ waiting: 1 });
  });

  it('handles runs whose worker died', async () => {
    const { ports, records, broken } = await startTick();
    await broken({ partition: 'AGENT_RUN#x', sort: 'LEASE' }, { partition: 'AGENT_DUE', sort: '0' });
    await runLeases.put(records, { runId: '1', until: LONG_AGO, owner: null });
    await broken(runs.key({ id: '1' }));
    await runLeases.put(records, { runId: '2', until: LONG_AGO, owner: null });
    await sweepRuns(ports);
    expect(await runLeases.get(records, { runId: '2' })).toBeUndefined();
  });

  it('calls a worker for chats', async () => {
    const { records, clock, botQueue, broken } = await startTick();
    await broken({ partition: 'BOT_CHAT#ima#x', sort: 'TURN' }, { partition: 'BOT_DUE', sort: '0' });
    const id = { platform: 'ima' as const, chatId: 'a' };
    await chatLeases.create(records, { ...id, owner: '', until: LONG_AGO, wanted: 1 });
    await sweepChats({ records, clock, botQueue: botQueue });
    expect(await botQueue?.depth()).toMatchObject({ waiting: 1 });
  });

  it('forgets deleted downloads', async () => {
    const { records, clock, datasetQueue, broken } = await startTick();
    const { partition, sort } = watches.key({ datasetId: '1' });
    await broken({ partition: `${partition}x`, sort }, { partition: 'DATASET_WATCHED', sort: '0' });
    await watches.put(records, { datasetId: '1', until: 1, silences: 0 });
    await sweepDownloads({ records, clock, datasetQueue: datasetQueue });
    expect(await watches.get(records, { datasetId: '1' })).toBeUndefined();
  });

  it('sends due tasks', async () => {
    const { ports, add, time } = await startTaskRig();
    await ports.records.put({
      key: { partition: 'TASK', sort: '0' },
      index: { partition: 'TASK_DUE', sort: '0' },
      value: { broken: true },
    });
    await ports.records.put({
      key: { partition: 'TASK_RUN#0', sort: '0' },
      index: { partition: 'TASK_LEASE', sort: '0' },
      value: { broken: true },
    });
    await add({ schedule: '* * * * *' });
    time.now += 120_000;
    await enqueueDueTasks(ports as never);
    expect(await ports.taskQueue.depth()).toMatchObject({ waiting: 1 });
  });
});

describe('scheduler tick with a failing store', () => {
  it('reports every failed part and fails, except for the cleanup, which needs no records', async () => {
    process.env.DATA_DIR = await tempFolder();
    const { handler } = await import('../../../functions/scheduler/handler.ts');
    openDatabase(process.env.DATA_DIR).prepare('DROP TABLE records').run();
    const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    await expect(handler()).rejects.toThrow('16 of 17 parts of the scheduler tick failed');
    const told = write.mock.calls.filter(([line]) => String(line).includes('a part of the tick failed'));
    expect(told).toHaveLength(16);
  });
});
