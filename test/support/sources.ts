import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { createQueues, sqliteQueue } from '../../lib/adapters/sqlite/queue.ts';
import { sqliteRecords } from '../../lib/adapters/sqlite/records.ts';
import { setLogLevel } from '../../lib/log.ts';
import {
  type ShownSettings,
  type SourceKind,
  type StoredSource,
  sourceFiles,
  sourceFilesPartition,
  sources,
} from '../../lib/sources/schema.ts';
import { createSource, findSource, readSourceRun, startSourceSync } from '../../lib/sources/sources.ts';
import { type SourceWorkPorts, workOnSource } from '../../lib/sources/work.ts';
import { openFileSources } from '../../lib/wiring/file-source.ts';
import { workspaces } from '../../lib/workspaces/schema.ts';
import { ADMIN } from './tasks.ts';
import { tempFolder, whenDone } from './temp-folder.ts';

export const SOURCE_WORKSPACE = '01a1fcf8-a7e2-778b-8bd9-87a5309f0001';
const MINUTE_MS = 60_000;

/** A source as the service stores it, with its secret. */
export interface TestSource {
  kind: SourceKind;
  /** The base URL of Zotero's API. The others have theirs in `config`. */
  url?: string;
  secret: string;
  config: ShownSettings;
}

export function zoteroSource({
  url,
  apiKey,
  userId,
}: {
  url: string;
  apiKey: string;
  userId: number;
}): TestSource {
  return { kind: 'zotero', url, secret: apiKey, config: { userId, userName: 'ann', groupId: null } };
}

export function webdavSource({
  url,
  user,
  password,
}: {
  url: string;
  user: string;
  password: string;
}): TestSource {
  return { kind: 'webdav', secret: password, config: { url, user } };
}

export function bucketOf({ url: endpoint, accessKeyId }: { url: string; accessKeyId: string }): TestSource {
  const config = { endpoint, region: 'eu-central-1', bucket: 'owls', prefix: '', accessKeyId };
  return { kind: 's3', secret: 'test', config };
}

/** The ports of the worker in a data folder, whose clock the test moves. */
export function sourcePorts(dataDir: string, { url, secret, config }: TestSource) {
  const database = openDatabase(dataDir);
  const time = { offsetMs: 0 };
  const clock = { now: () => Date.now() + time.offsetMs };
  const places = [config.url, config.endpoint].filter((place) => place !== undefined);
  const ports: SourceWorkPorts = {
    records: sqliteRecords(database, clock),
    clock,
    taskQueue: sqliteQueue(database, 'task'),
    touchQueue: sqliteQueue(database, 'touch'),
    secrets: { get: async () => secret, set: async () => {} },
    ...openFileSources({
      ...{ zotero: { baseUrl: url }, proxy: { http: undefined, https: undefined, no: undefined } },
      sourceHosts: places.map((place) => new URL(place).host),
    }),
  };
  return { ports, time, database };
}

/** A source in a workspace, without a host. */
export async function startSourceRig(
  test: TestSource,
  limits: { maxBytes?: number; maxFiles?: number } = {},
) {
  setLogLevel('error');
  const dataDir = await tempFolder();
  const root = join(await tempFolder(), 'home');
  await mkdir(root);
  const { ports, time, database } = sourcePorts(dataDir, test);
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
  const connectSource = async () => test.config;
  const name = sourceName(test);
  const made = await createSource({ ...ports, connectSource }, ADMIN, SOURCE_WORKSPACE, {
    ...{ name, kind: test.kind, config: {} },
    ...{ maxBytes: limits.maxBytes ?? 1e9, maxFiles: limits.maxFiles ?? 10_000 },
  });
  const source = () => findSource(ports.records, SOURCE_WORKSPACE, made.id);
  const work = (timeMs = 600_000) =>
    workOnSource(ports, { kind: 'source', workspaceId: SOURCE_WORKSPACE, name }, timeMs);
  async function sync({ dryRun = false, timeMs = 600_000 } = {}) {
    const { id } = await startSourceSync(ports, made, { dryRun, trigger: 'manual' });
    await work(timeMs);
    return readSourceRun(ports.records, made, id);
  }
  const files = () =>
    Array.fromAsync(sourceFiles.all(ports.records, { partition: sourceFilesPartition(made.id) }));
  return { ports, time, dataDir, root, made, source, work, sync, files };
}

export function sourceName({ kind }: Pick<TestSource, 'kind'>): string {
  return kind === 'zotero' ? 'Zotero' : 'Files';
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
