import type { Caller } from '../access/caller.ts';
import type { ErrorCode } from '../error-codes.ts';
import { Conflict, InvalidInput, NotFound } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { timestamp } from '../ports/clock.ts';
import { FILE_SOURCE_ERRORS } from '../ports/file-source.ts';
import type { Queue } from '../ports/queue.ts';
import type { Records } from '../ports/records.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { change, whileOvertaken } from '../records/change.ts';
import { type PageQuery, pageUpTo } from '../records/page.ts';
import type { DropOfWorkspace } from '../workspaces/callbacks.ts';
import { sourceFolder } from './plan.ts';
import {
  type ChangeSource,
  type CreateSource,
  MAX_SOURCES,
  NO_SYNC_COUNTS,
  SECRET_SETTINGS,
  type ShownSettings,
  type SourceKind,
  type SourceRun,
  type SourceSettings,
  type StoredSource,
  type StoredSourceRun,
  sourceRuns,
  sourceRunsPartition,
  sources,
  sourcesPartition,
  type WorkspaceSource,
} from './schema.ts';
import { dropRecords, messageDue, secretOf, sourceMessage } from './work.ts';

export const SOURCE_ERRORS = ['source_not_found'] as const satisfies ErrorCode[];
export const CREATE_SOURCE_ERRORS = [
  ...FILE_SOURCE_ERRORS,
  'source_exists',
  'too_many_sources',
] as const satisfies ErrorCode[];

export interface EditSourcePorts extends TimedRecords {
  secrets: Secrets;
  taskQueue: Queue;
  /** Checks settings by a request to the source, and returns those that are stored. Throws ServiceErrors. */
  connectSource(kind: SourceKind, settings: SourceSettings): Promise<ShownSettings>;
}

/** Lists the sources of a workspace, by name, with their latest runs. */
export async function listSources(
  records: Records,
  workspaceId: string,
  scheduleOf: ScheduleOf,
): Promise<WorkspaceSource[]> {
  const found = await listStored(records, workspaceId);
  return Promise.all(found.map((source) => describeWorkspaceSource(records, source, scheduleOf)));
}

/** Returns the schedule of a source, which is a scheduled task. */
type ScheduleOf = (records: Records, source: StoredSource) => Promise<string | null>;

async function listStored(records: Records, workspaceId: string): Promise<StoredSource[]> {
  const query = { partition: sourcesPartition(workspaceId), limit: 2 * MAX_SOURCES };
  return (await sources.list(records, query)).items.filter(({ removing }) => removing === null);
}

/** Throws NotFound. */
export async function findSource(
  records: Records,
  workspaceId: string,
  sourceId: string,
): Promise<StoredSource> {
  const found = (await listStored(records, workspaceId)).find(({ id }) => id === sourceId);
  if (found === undefined)
    throw new NotFound('source_not_found', 'This source does not exist in the workspace.');
  return found;
}

export async function describeWorkspaceSource(
  records: Records,
  source: StoredSource,
  scheduleOf: ScheduleOf,
): Promise<WorkspaceSource> {
  const { id, name, kind, config, taskId, maxBytes, maxFiles, createdBy, createdAt } = source;
  const [run, schedule] = await Promise.all([findRun(records, source), scheduleOf(records, source)]);
  return {
    ...{ id, name, kind, config, schedule, taskId, maxBytes, maxFiles, createdBy, createdAt },
    path: sourceFolder(name),
    lastRun: run === undefined ? null : withoutChanges(describeRun(run)),
  };
}

function withoutChanges({ changes: _, ...run }: SourceRun): WorkspaceSource['lastRun'] {
  return run;
}

/**
 * Adds a source, after its settings were checked. The record is first, so that no secret is left without one. Throws
 * Conflict, and UpstreamFailed for credentials that the source refuses.
 */
export async function createSource(
  ports: EditSourcePorts,
  caller: Caller,
  workspaceId: string,
  { name, kind, config: settings, maxBytes, maxFiles }: CreateSource,
): Promise<StoredSource> {
  if ((await listStored(ports.records, workspaceId)).length >= MAX_SOURCES)
    throw new Conflict('too_many_sources', `A workspace can have at most ${MAX_SOURCES} sources.`);
  const config = await ports.connectSource(kind, settings);
  const now = timestamp(ports.clock);
  const source: StoredSource = {
    ...{ id: newId(), workspaceId, name, kind, config, maxBytes, maxFiles },
    ...{ taskId: null, createdBy: caller.id, createdAt: now, version: 1 },
    ...{ position: null, isPending: false, lastRunId: null, isActive: false, removing: null },
    ...{ owner: '', leaseUntil: now },
  };
  if (!(await sources.create(ports.records, source)))
    throw new Conflict('source_exists', 'name is already used by another source of the workspace.', {
      field: 'name',
    });
  await keepSecret(ports, source, settings);
  return source;
}

async function keepSecret(
  { secrets }: Pick<EditSourcePorts, 'secrets'>,
  { id, kind }: StoredSource,
  settings: SourceSettings,
): Promise<void> {
  await secrets.set(secretOf(id), settings[SECRET_SETTINGS[kind].secret] ?? null);
}

/** Changes the limits or the credentials. */
export async function changeSource(
  ports: EditSourcePorts,
  source: StoredSource,
  { config, maxBytes, maxFiles }: Omit<ChangeSource, 'schedule'>,
  more: Partial<StoredSource> = {},
): Promise<StoredSource> {
  const fields = config === undefined ? {} : { config: await changeCredentials(ports, source, config) };
  const isLimit = maxBytes !== undefined || maxFiles !== undefined;
  const changed = await change(sources, ports.records, source, (before) => {
    if (before?.id !== source.id) return undefined;
    return {
      ...{ ...more, ...fields },
      ...(maxBytes !== undefined && { maxBytes }),
      ...(maxFiles !== undefined && { maxFiles }),
      ...(isLimit && { isPending: true }),
    };
  });
  if (changed === undefined) return findSource(ports.records, source.workspaceId, source.id);
  return changed;
}

/** Stores other credentials. A key of another user of Zotero is refused, because its library would be another one. */
async function changeCredentials(
  ports: EditSourcePorts,
  source: StoredSource,
  credentials: SourceSettings,
): Promise<ShownSettings> {
  const { kind, config } = source;
  const { secret, changeable } = SECRET_SETTINGS[kind];
  const sent = Object.keys(credentials);
  const wrong = sent.find((name) => !changeable.some((known) => known === name));
  if (wrong !== undefined || !sent.includes(secret))
    throw new InvalidInput(
      'invalid_value',
      `config must have ${secret}, and may have ${changeable.join(', ')}.`,
      {
        field: wrong === undefined ? 'config' : `config.${wrong}`,
      },
    );
  const { userId, userName: _, ...settings } = config;
  const connected = await ports.connectSource(kind, { ...settings, ...credentials });
  if (connected.userId !== userId)
    throw new Conflict(
      'source_user_differs',
      'The API key belongs to another user. Add another source for it.',
      { field: 'config.apiKey' },
    );
  await keepSecret(ports, source, credentials);
  return connected;
}

/** Deletes the key of a source, hides the source, and asks the worker to remove it. Idempotent. */
export async function deleteSource(
  ports: Pick<EditSourcePorts, 'records' | 'secrets' | 'taskQueue'>,
  source: StoredSource,
  { keepFiles }: { keepFiles: boolean },
): Promise<void> {
  await ports.secrets.set(secretOf(source.id), null);
  const removing = keepFiles ? ('record' as const) : ('files' as const);
  await change(sources, ports.records, source, (before) => {
    if (before?.id !== source.id || before.removing !== null) return undefined;
    return { removing };
  });
  await ports.taskQueue.send([sourceMessage(source)]);
}

/** Starts a run, or returns the one in progress. */
export async function startSourceSync(
  ports: TimedRecords & { taskQueue: Queue },
  asked: StoredSource,
  { dryRun, trigger }: Pick<SourceRun, 'dryRun' | 'trigger'>,
): Promise<SourceRun> {
  const { records, clock } = ports;
  return whileOvertaken(async () => {
    const source = await findSource(records, asked.workspaceId, asked.id);
    const active = source.isActive ? await findRun(records, source) : undefined;
    if (active !== undefined) return describeRun(active);
    const run: StoredSourceRun = {
      ...{
        id: newId(),
        sourceId: source.id,
        dryRun,
        trigger,
        status: 'waiting',
        startedAt: timestamp(clock),
      },
      ...{
        finishedAt: null,
        error: null,
        requests: 0,
        done: 0,
        total: null,
        changes: [],
        counts: NO_SYNC_COUNTS,
      },
    };
    await sourceRuns.create(records, run);
    const fields = { lastRunId: run.id, isActive: true, owner: '', leaseUntil: messageDue(ports) };
    const { leaseUntil, isActive } = source;
    if (
      (await sources.patch(records, source, fields, { leaseUntil, isActive, removing: null })) === undefined
    ) {
      await sourceRuns.delete(records, run);
      return undefined;
    }
    await ports.taskQueue.send([sourceMessage(source)]);
    return describeRun(run);
  });
}

async function findRun(
  records: Records,
  { id, lastRunId }: StoredSource,
): Promise<StoredSourceRun | undefined> {
  return lastRunId === null ? undefined : sourceRuns.get(records, { sourceId: id, id: lastRunId });
}

function describeRun({ sourceId: _, ...run }: StoredSourceRun): SourceRun {
  const { id, dryRun, trigger, status, startedAt, finishedAt, error } = run;
  const { requests, done, total, counts, changes } = run;
  return {
    ...{ id, dryRun, trigger, status, startedAt, finishedAt, error },
    ...{ requests, done, total, counts, changes },
  };
}

/** Throws NotFound if the source was deleted in the meantime. */
export async function readSourceRun(
  records: Records,
  { id }: StoredSource,
  runId: string,
): Promise<SourceRun> {
  const run = await sourceRuns.get(records, { sourceId: id, id: runId });
  if (run === undefined)
    throw new NotFound('source_not_found', 'This source does not exist in the workspace.');
  return describeRun(run);
}

/** Returns the runs of the last 90 days, newest first. */
export async function listSourceRuns(
  records: Records,
  { id }: StoredSource,
  { limit, cursor }: PageQuery,
): Promise<{ items: SourceRun[]; cursor?: string }> {
  const query = { partition: sourceRunsPartition(id), order: 'descending' as const, limit: limit + 2 };
  const page = await pageUpTo((to) => sourceRuns.all(records, { ...query, to }), { limit, cursor });
  return { ...page, items: page.items.map(describeRun) };
}

/** Deletes the sources of a deleted workspace with their keys. Files stay. */
export function dropSources({ secrets }: { secrets: Secrets }): DropOfWorkspace {
  return async (records, workspaceId) => {
    for await (const source of sources.all(records, { partition: sourcesPartition(workspaceId) })) {
      await secrets.set(secretOf(source.id), null);
      await dropRecords(records, source.id);
      await sources.delete(records, source);
    }
  };
}
