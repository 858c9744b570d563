import { titleOf } from '../../conversations/turn/plan-turn.ts';
import { suggestPattern } from '../../permissions/always.ts';
import type { Records } from '../../ports/records.ts';
import type { UseKind } from '../../usage/schema.ts';
import { runUsage } from '../run-usage.ts';
import type { Origin, Run } from '../schema.ts';
import { approvalsOf } from './approvals.ts';
import { readRun } from './runs.ts';

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
    ...{ createdAt, finishedAt, error, origin: ORIGINS[runUsage(run).kind] ?? 'api' },
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
