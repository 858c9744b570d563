import type { Caller } from '../access/caller.ts';
import type { RunStatus } from '../api-contract/runs.ts';
import type { Records } from '../ports/records.ts';
import type { PageQuery } from '../records/page.ts';
import { onlyReadable } from '../workspaces/all-workspaces.ts';
import { describeRun } from './describe-run.ts';
import type { RunPorts } from './ports.ts';
import { DUE, type Run, type RunKind, runLeases, runs, runsPartition } from './schema.ts';
import { checkAlive } from './sweep.ts';

/**
 * The maximum number of active runs to read for the whole service: those that the scheduler tick checks last.
 * These include runs that wait for a person, because they are checked when their approval expires.
 */
const MAX_LOOKED_AT = 1000;

/**
 * Returns a page of a workspace's runs that the caller may read, newest first, without unlisted ones, filtered by
 * status and kind. Because of the filters, a page may contain fewer than its limit.
 */
export async function listRuns(
  ports: RunPorts,
  caller: Caller,
  workspaceId: string,
  { status, kind, limit, cursor }: PageQuery & { status?: RunStatus; kind?: RunKind },
) {
  const query = { partition: runsPartition(workspaceId), byIndex: true, limit, cursor };
  const page = await runs.list(ports.records, { ...query, order: 'descending' });
  const listed = await onlyReadable(
    ports.records,
    caller,
    page.items.filter(({ unlisted }) => !unlisted),
  );
  const ofKind = listed.filter((run) => kind === undefined || run.kind === kind);
  const looked = await Promise.all(ofKind.map((run) => checkAlive(ports, run)));
  const wanted = looked.filter((run) => status === undefined || run.status === status);
  const items = await Promise.all(wanted.map((run) => describeRun(ports.records, caller, run)));
  return { items, cursor: page.cursor };
}

/**
 * Returns the runs that wait for a person, newest first, by workspace, with two reads for any number of workspaces.
 * Those about several workspaces only if the caller may read all of them.
 */
export async function waitingRuns(records: Records, caller: Caller): Promise<Map<string, Run[]>> {
  const query = { partition: DUE, byIndex: true, order: 'descending' as const, limit: MAX_LOOKED_AT };
  const { items } = await runLeases.list(records, query);
  const found = await runs.getMany(
    records,
    items.map(({ runId }) => ({ id: runId })),
  );
  const waiting = await onlyReadable(
    records,
    caller,
    found.filter(({ status }) => status === 'waiting'),
  );
  return Map.groupBy(
    waiting.sort((one, other) => (one.id < other.id ? 1 : -1)),
    ({ workspaceId }) => workspaceId,
  );
}
