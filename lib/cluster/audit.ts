import { type Caller, requireRole } from '../access/caller.ts';
import { oneLine } from '../activity/record.ts';
import { Forbidden } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { errorText } from '../known-error.ts';
import { log } from '../log.ts';
import { timestamp } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { ClusterBlocked } from './protect.ts';
import {
  ALL_OPERATIONS,
  type ClusterOperation,
  type OperationsPage,
  type OperationsQuery,
  operations,
  operationsPartition,
} from './schema.ts';

/** Who acts in the cluster, and who approved it. */
export interface ClusterActor {
  workspaceId: string;
  callerId: string;
  runId: string;
  /** The credential that approved the call; null if no approval was needed. */
  approvedBy: string | null;
}

export type Operation = Pick<ClusterOperation, 'tool' | 'verb' | 'resource' | 'namespace'>;

const MAX_SUMMARY = 500;
const UNKNOWN = 'Started. The result is unknown, because the service stopped before it was done.';

/**
 * Performs an operation in the cluster and logs it, whatever its result. If the entry can't be stored, the
 * operation isn't performed; if the process dies, the entry says that the outcome is unknown. `summarize`
 * returns the result on one line.
 */
export async function auditedInCluster<Result>(
  ports: TimedRecords,
  actor: ClusterActor,
  operation: Operation,
  work: () => Promise<Result>,
  summarize: (result: Result) => string,
): Promise<Result> {
  const entry = await beginEntry(ports, actor, operation);
  try {
    const result = await work();
    await endEntry(ports, entry, 'success', summarize(result));
    return result;
  } catch (error) {
    await endEntry(ports, entry, statusOf(error), errorText(error));
    throw error;
  }
}

/** For operations that change nothing yet: logs them only if they fail. Otherwise, a later step logs them. */
export async function auditAttempt<Result>(
  ports: TimedRecords,
  actor: ClusterActor,
  operation: Operation,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await endEntry(ports, await beginEntry(ports, actor, operation), statusOf(error), errorText(error));
    throw error;
  }
}

/** Logs that a person denied the agent's operation, or let its approval expire. */
export async function auditRefusal(
  ports: TimedRecords,
  actor: ClusterActor,
  operation: Operation,
): Promise<void> {
  const entry = await beginEntry(ports, actor, operation);
  await endEntry(ports, entry, 'denied', 'Not approved.');
}

async function beginEntry(
  { records, clock }: TimedRecords,
  { workspaceId, callerId, runId, approvedBy }: ClusterActor,
  { tool, verb, resource, namespace }: Operation,
): Promise<ClusterOperation> {
  const entry: ClusterOperation = {
    id: newId(),
    ...{ workspaceId, callerId, runId, approvedBy, tool, verb, resource, namespace },
    status: 'error',
    summary: UNKNOWN,
    createdAt: timestamp(clock),
  };
  await operations.put(records, entry);
  return entry;
}

/** Updates the log entry. The change is done, so if the update fails, the agent must not get a failure. */
async function endEntry(
  { records }: TimedRecords,
  entry: ClusterOperation,
  status: ClusterOperation['status'],
  summary: string,
): Promise<void> {
  try {
    await operations.update(records, entry, { set: { status, summary: oneLine(summary, MAX_SUMMARY) } });
  } catch (error) {
    log.error('the end of a cluster operation was not written', { operationId: entry.id, status }, error);
  }
}

function statusOf(error: unknown): ClusterOperation['status'] {
  if (error instanceof ClusterBlocked) return 'blocked';
  return error instanceof Forbidden ? 'denied' : 'error';
}

/**
 * Returns a page of operations, newest first. To list all workspaces, an administrator names none. Throws
 * Forbidden.
 */
export async function pageOperations(
  records: Records,
  caller: Caller,
  workspace: Workspace | undefined,
  { limit, offset }: Pick<OperationsQuery, 'limit' | 'offset'>,
): Promise<OperationsPage> {
  const place = placeOf(caller, workspace);
  const [total, found] = await Promise.all([records.count(place), readFrom(records, place, offset, limit)]);
  return { operations: found.map(withoutRun), total, limit, offset };
}

function placeOf(caller: Caller, workspace: Workspace | undefined) {
  if (workspace !== undefined) return { partition: operationsPartition(workspace.id) };
  requireRole(caller, 'admin');
  if (caller.workspaceIds !== null)
    throw new Forbidden(
      'workspace_scoped_token',
      'workspaceId is required: your token is limited to its workspaces.',
      { field: 'workspaceId' },
    );
  return { partition: ALL_OPERATIONS, byIndex: true };
}

async function readFrom(
  records: Records,
  place: { partition: string; byIndex?: boolean },
  offset: number,
  limit: number,
): Promise<ClusterOperation[]> {
  const found: ClusterOperation[] = [];
  let skipped = 0;
  const query = { ...place, order: 'descending' as const, limit: Math.min(offset + limit, 1000) };
  for await (const operation of operations.all(records, query)) {
    if (skipped++ < offset) continue;
    if (found.push(operation) === limit) break;
  }
  return found;
}

function withoutRun({ callerId: _, runId: __, ...operation }: ClusterOperation) {
  return operation;
}
