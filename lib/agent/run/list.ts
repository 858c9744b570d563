import type { PageQuery } from '../../records/page.ts';
import type { RunPorts } from '../ports.ts';
import { type RunKind, type RunStatus, runs, runsPartition } from '../schema.ts';
import { describeRun } from './describe-run.ts';
import { checkAlive } from './sweep.ts';

/**
 * A page of a workspace's runs, newest first; a status and a kind filter it, so a page may contain fewer than its
 * limit.
 */
export async function listRuns(
  ports: RunPorts,
  workspaceId: string,
  { status, kind, limit, cursor }: PageQuery & { status?: RunStatus; kind?: RunKind },
) {
  const query = { partition: runsPartition(workspaceId), byIndex: true, limit, cursor };
  const page = await runs.list(ports.records, { ...query, order: 'descending' });
  const ofKind = page.items.filter((run) => kind === undefined || run.kind === kind);
  const looked = await Promise.all(ofKind.map((run) => checkAlive(ports, run)));
  const wanted = looked.filter((run) => status === undefined || run.status === status);
  const items = await Promise.all(wanted.map((run) => describeRun(ports.records, run)));
  return { items, cursor: page.cursor };
}
