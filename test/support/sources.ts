import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { createQueues, sqliteQueue } from '../../lib/adapters/sqlite/queue.ts';
import { sqliteRecords } from '../../lib/adapters/sqlite/records.ts';
import { zoteroLibrary } from '../../lib/adapters/zotero/library.ts';
import { setLogLevel } from '../../lib/log.ts';
import { type StoredSource, sourceFiles, sourceFilesPartition, sources } from '../../lib/sources/schema.ts';
import { createSource, findSource, readSourceRun, startSourceSync } from '../../lib/sources/sources.ts';
import { type SourceWorkPorts, workOnSource } from '../../lib/sources/work.ts';
import { workspaces } from '../../lib/workspaces/schema.ts';
import { ADMIN } from './tasks.ts';
import { tempFolder, whenDone } from './temp-folder.ts';

export const SOURCE_WORKSPACE = '01a1fcf8-a7e2-778b-8bd9-87a5309f0001';
const MINUTE_MS = 60_000;

/** The ports of the worker in a data folder, whose clock the test moves. */
export function sourcePorts(dataDir: string, { url, apiKey }: { url: string; apiKey: string }) {
  const database = openDatabase(dataDir);
  const time = { offsetMs: 0 };
  const clock = { now: () => Date.now() + time.offsetMs };
  const ports: SourceWorkPorts = {
    records: sqliteRecords(database, clock),
    clock,
    taskQueue: sqliteQueue(database, 'task'),
    touchQueue: sqliteQueue(database, 'touch'),
    secrets: { get: async () => apiKey, set: async () => {} },
    openFileSource: ({ config: { userId } }, key) =>
      zoteroLibrary({ apiKey: key, baseUrl: url, trusted: true }, { userId }),
  };
  return { ports, time, database };
}

/** A source of a fake library in a workspace, without a host. */
export async function startSourceRig(
  fake: { url: string; apiKey: string; userId: number },
  limits: { maxBytes?: number; maxFiles?: number } = {},
) {
  setLogLevel('error');
  const dataDir = await tempFolder();
  const root = join(await tempFolder(), 'home');
  await mkdir(root);
  const { ports, time, database } = sourcePorts(dataDir, fake);
  whenDone(async () => database.close());
  createQueues(
    database,
    ['task', 'touch'].map((name) => ({ name, fifo: false, visibilityTimeoutSeconds: 60 })),
  );
  const workspace = {
    id: SOURCE_WORKSPACE,
    name: 'home',
    rootPath: root,
    createdAt: new Date().toISOString(),
  };
  await workspaces.create(ports.records, workspace);
  const findUser = async () => ({ userId: fake.userId, userName: 'ann' });
  const made = await createSource({ ...ports, findUser }, ADMIN, SOURCE_WORKSPACE, {
    ...{ name: 'Zotero', kind: 'zotero', config: { apiKey: fake.apiKey } },
    ...{ maxBytes: limits.maxBytes ?? 1e9, maxFiles: limits.maxFiles ?? 10_000 },
  });
  const source = () => findSource(ports.records, SOURCE_WORKSPACE, made.id);
  const work = () =>
    workOnSource(ports, { kind: 'source', workspaceId: SOURCE_WORKSPACE, name: 'Zotero' }, 600_000);
  async function sync({ dryRun = false } = {}) {
    const { id } = await startSourceSync(ports, made, { dryRun, trigger: 'manual' });
    await work();
    return readSourceRun(ports.records, made, id);
  }
  const files = () =>
    Array.fromAsync(sourceFiles.all(ports.records, { partition: sourceFilesPartition(made.id) }));
  return { ports, time, dataDir, root, made, source, work, sync, files };
}

/** Returns a source that was never synced. */
export function makeStoredSource(fields: Pick<StoredSource, 'id' | 'workspaceId'>): StoredSource {
  const now = new Date().toISOString();
  return {
    ...{
      name: 'Zotero',
      kind: 'zotero',
      config: { userId: 1, userName: 'ann', groupId: null },
      taskId: null,
    },
    ...{ maxBytes: 1e9, maxFiles: 100, createdBy: 'admin', createdAt: now, position: null, isPending: false },
    ...{
      lastRunId: null,
      isActive: false,
      removing: null,
      owner: '',
      leaseUntil: now,
      version: 1,
      ...fields,
    },
  };
}

/** The ports of sources, for runners of tasks without sources. */
export const NO_SOURCES = {
  secrets: { get: async () => undefined, set: async () => {} },
  taskQueue: {} as SourceWorkPorts['taskQueue'],
  openFileSource: () => {
    throw new Error('no source here');
  },
};

/** Ends the lease of a killed worker, as a minute would. */
export async function endLease(
  { records, clock }: Pick<SourceWorkPorts, 'records' | 'clock'>,
  source: StoredSource,
) {
  const leaseUntil = new Date(clock.now() - MINUTE_MS).toISOString();
  await sources.patch(records, source, { leaseUntil }, { owner: source.owner });
}
