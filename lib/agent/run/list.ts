import { titleOf } from '../../conversations/turn/plan-turn.ts';
import { suggestPattern } from '../../permissions/always.ts';
import type { Records } from '../../ports/records.ts';
import type { PageQuery } from '../../records/page.ts';
import type { UseKind } from '../../usage/schema.ts';
import type { RunPorts } from '../ports.ts';
import { type Origin, type Run, type RunKind, type RunStatus, runs, runsPartition } from '../schema.ts';
import { useOfRun } from '../use-of-run.ts';
import { approvalsOf } from './approvals.ts';
import { readRun } from './runs.ts';
import { checkAlive } from './sweep.ts';

/**
 * A page of a workspace's runs, newest first; a status and a kind leave out the others, so a page may hold fewer than its
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

const ORIGINS: Partial<Record<UseKind, Origin>> = { bots: 'bot', tasks: 'task' };

/** The run as the API answers it, read again because it has changed since it was found. */
export async function describeRunAgain(records: Records, { id }: Run) {
  return describeRun(records, await readRun(records, id));
}

/** The run as the API answers it. */
export async function describeRun(records: Records, run: Run) {
  const { id, workspaceId, kind, mode, request, conversationId, status } = run;
  const { steps, createdAt, finishedAt, error } = run;
  const title = titleOf(request);
  const described = {
    ...{ id, workspaceId, kind, mode, title, request, conversationId, status, steps },
    ...{ createdAt, finishedAt, error, origin: ORIGINS[useOfRun(run).kind] ?? 'api' },
  };
  if (status !== 'waiting') return described;
  const waiting = (await approvalsOf(records, id)).filter((approval) => approval.status === 'waiting');
  return {
    ...described,
    approvals: waiting.map(({ id, toolName, input, summary, subjects, expiresAt }) => {
      const always = suggestPattern(toolName, subjects);
      return { id, toolName, input, summary, subjects, always, expiresAt };
    }),
  };
}
