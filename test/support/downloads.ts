import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Caller } from '../../lib/access/caller.ts';
import { diskObjects } from '../../lib/adapters/disk/objects.ts';
import { huggingFaceHub } from '../../lib/adapters/hugging-face/hub.ts';
import { modelScopeHub } from '../../lib/adapters/modelscope/hub.ts';
import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { createQueues, releaseAbandoned, sqliteQueue } from '../../lib/adapters/sqlite/queue.ts';
import { sqliteRecords } from '../../lib/adapters/sqlite/records.ts';
import type { DownloadPorts } from '../../lib/datasets/download/ports.ts';
import { type Dataset, datasetMessageSchema, datasets } from '../../lib/datasets/schema.ts';
import { handleDatasetMessage } from '../../lib/datasets/steps/handle-dataset-message.ts';
import { createDataset } from '../../lib/datasets/steps/transitions.ts';
import { filesChangedIn } from '../../lib/indexing/enqueue.ts';
import { type Clock, systemClock } from '../../lib/ports/clock.ts';
import type { Queue } from '../../lib/ports/queue.ts';
import { whenDone } from './temp-folder.ts';

/** `DATASETS_LONG=true`, as in `npm run test:datasets`: many rounds, large files, and enforced durations. */
export const LONG = process.env.DATASETS_LONG === 'true';

const caller = { id: 'tester', role: 'admin', workspaceIds: null } as Caller;

export interface DownloadOptions {
  dataDir: string;
  hubUrl: string;
  token?: string;
  /** Number of concurrent messages; by default, only the API side runs. */
  workers?: number;
  /** The time limit of one message. */
  timeMs?: number;
  clock?: Clock;
}

/** Downloads without a host: real SQLite, the worker called with what the queue returns. */
export async function startDownloads({
  dataDir,
  hubUrl,
  token,
  workers = 8,
  timeMs = 600_000,
  clock = systemClock,
}: DownloadOptions) {
  await mkdir(dataDir, { recursive: true });
  const database = openDatabase(dataDir);
  createQueues(database, [
    { name: 'dataset', fifo: false, visibilityTimeoutSeconds: 5400 },
    { name: 'index', fifo: false, visibilityTimeoutSeconds: 1800 },
  ]);
  releaseAbandoned(database);
  const settings = { baseUrl: hubUrl, token, trusted: true };
  const records = sqliteRecords(database);
  const ports: DownloadPorts = {
    records,
    objects: diskObjects(join(dataDir, 'objects'), () => Promise.reject(new Error('not here'))),
    clock,
    datasetQueue: sqliteQueue(database, 'dataset', clock),
    filesChanged: filesChangedIn({ records, queue: sqliteQueue(database, 'index', clock), clock }),
    datasetsDir: join(dataDir, 'datasets'),
    hubs: { hub_a: huggingFaceHub(settings), hub_b: modelScopeHub(settings) },
  };
  const errors: unknown[] = [];
  const state = { stopping: false };
  const pumps = Array.from({ length: workers }, () => pump(ports, ports.datasetQueue, timeMs, state, errors));
  const stop = async () => {
    state.stopping = true;
    await Promise.all(pumps);
  };
  whenDone(stop);
  return {
    ports,
    errors,
    stop,
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
    const [message] = await queue.receive({ max: 1, waitSeconds: 0.05 });
    if (message === undefined) continue;
    const body = datasetMessageSchema.parse(JSON.parse(message.body));
    try {
      await handleDatasetMessage(ports, body, timeMs);
      await queue.delete([message.receipt]);
    } catch (error) {
      errors.push(error);
      await queue.changeVisibility(message.receipt, 1);
    }
  }
}
