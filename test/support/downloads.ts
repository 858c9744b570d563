import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { diskObjects } from '../../lib/adapters/disk/objects.ts';
import { hubA } from '../../lib/adapters/hub-a/hub.ts';
import { hubB } from '../../lib/adapters/hub-b/hub.ts';
import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { createQueues, releaseAbandoned, sqliteQueue } from '../../lib/adapters/sqlite/queue.ts';
import { sqliteRecords } from '../../lib/adapters/sqlite/records.ts';
import type { DownloadPorts } from '../../lib/datasets/download/ports.ts';
import { type Dataset, datasetMessageSchema, datasets } from '../../lib/datasets/schema.ts';
import { createDataset } from '../../lib/datasets/transitions.ts';
import { workMessage } from '../../lib/datasets/work.ts';
import type { Caller } from '../../lib/http/caller.ts';
import type { Queue } from '../../lib/ports/queue.ts';

const caller = { id: 'tester', role: 'admin', workspaceIds: null } as Caller;

export interface DownloadOptions {
  dataDir: string;
  hubUrl: string;
  token?: string;
  /** Messages in work at a time; none: only the API's side. */
  workers?: number;
  /** Of one message. */
  timeMs?: number;
}

/** Downloading without a host: real SQLite, the worker called with what the queue gives. */
export async function startDownloads({
  dataDir,
  hubUrl,
  token,
  workers = 8,
  timeMs = 600_000,
}: DownloadOptions) {
  await mkdir(dataDir, { recursive: true });
  const database = openDatabase(dataDir);
  createQueues(database, [
    { name: 'dataset', fifo: false, visibilityTimeoutSeconds: 5400 },
    { name: 'index', fifo: false, visibilityTimeoutSeconds: 1800 },
  ]);
  releaseAbandoned(database);
  const settings = { baseUrl: hubUrl, token, trusted: true };
  const ports: DownloadPorts = {
    records: sqliteRecords(database),
    objects: diskObjects(join(dataDir, 'objects'), () => Promise.reject(new Error('not here'))),
    clock: { now: () => Date.now() },
    datasetQueue: sqliteQueue(database, 'dataset'),
    indexQueue: sqliteQueue(database, 'index'),
    datasetsDir: join(dataDir, 'datasets'),
    hubs: { hub_a: hubA(settings), hub_b: hubB(settings) },
  };
  const errors: unknown[] = [];
  const state = { stopping: false };
  const pumps = Array.from({ length: workers }, () => pump(ports, ports.datasetQueue, timeMs, state, errors));
  return {
    ports,
    errors,
    create: (fields: Partial<Parameters<typeof createDataset>[2]>) =>
      createDataset(ports, caller, { repoId: 'o/n', repoType: 'dataset', source: 'hub_a', ...fields }),
    read: async (id: string) => (await datasets.get(ports.records, { id })) as Dataset,
    async settled(id: string, timeoutMs = 60_000): Promise<Dataset> {
      const until = Date.now() + timeoutMs;
      for (;;) {
        const dataset = (await datasets.get(ports.records, { id })) as Dataset;
        if (dataset.status !== 'pending' && dataset.status !== 'downloading') return dataset;
        if (Date.now() > until) throw new Error(`still ${dataset.status} ${dataset.phase}`);
        await new Promise((done) => setTimeout(done, 20));
      }
    },
    async stop() {
      state.stopping = true;
      await Promise.all(pumps);
    },
  };
}

async function pump(
  ports: DownloadPorts,
  queue: Queue,
  timeMs: number,
  state: { stopping: boolean },
  errors: unknown[],
): Promise<void> {
  while (!state.stopping) {
    const [message] = await queue.receive({ max: 1, waitSeconds: 0.3 });
    if (message === undefined) continue;
    const body = datasetMessageSchema.parse(JSON.parse(message.body));
    try {
      await workMessage(ports, body, timeMs);
      await queue.delete([message.receipt]);
    } catch (error) {
      errors.push(error);
      await queue.changeVisibility(message.receipt, 1);
    }
  }
}
