import { type Caller, isAdminOfAll } from '../access/caller.ts';
import { titleOf } from '../conversations/turn/plan-turn.ts';
import { suggestPattern, suggestWider } from '../permissions/always.ts';
import type { PathOrigin } from '../permissions/judge.ts';
import type { Records } from '../ports/records.ts';
import type { UseKind } from '../usage/schema.ts';
import { workspaces } from '../workspaces/schema.ts';
import { approvalsOf } from './approvals.ts';
import { fileBefore } from './basis.ts';
import { runUsage } from './run-usage.ts';
import { isOwnRun, readRun } from './runs.ts';
import type { Approval, Origin, Run } from './schema.ts';

const ORIGINS: Partial<Record<UseKind, Origin>> = { bots: 'bot', tasks: 'task' };

/** Returns the run for the API. Reads it again, because it has changed since it was found. */
export async function describeRunAgain(records: Records, caller: Caller, { id }: Run) {
  return describeRun(records, caller, await readRun(records, id));
}

/** Returns the run with the current files that its approvals are about. */
export async function describeOneRun(records: Records, caller: Caller, run: Run) {
  const workspace = await workspaces.get(records, { id: run.workspaceId });
  return describeRun(records, caller, run, workspace && { rootPath: workspace.rootPath, cwd: run.cwd });
}

/** Returns the run in the API's form for a caller. */
export async function describeRun(records: Records, caller: Caller, run: Run, place?: PathOrigin) {
  const { id, workspaceId, kind, mode, request, conversationId, status } = run;
  const { steps, failedCalls, createdAt, finishedAt, error, changes } = run;
  const title = titleOf(request);
  const described = {
    ...{ id, workspaceId, kind, mode, title, request, conversationId, status },
    ...{ steps, failedCalls },
    ...{ createdAt, finishedAt, error, changes, origin: ORIGINS[runUsage(run).kind] ?? 'api' },
    ...draftFor(caller, run),
  };
  if (status !== 'waiting') return described;
  const all = await approvalsOf(records, id);
  const waiting = all.filter((approval) => approval.status === 'waiting');
  const pending = await Promise.all(waiting.map((each) => describeApproval(each, place)));
  return { ...described, approvals: pending, answered: all.flatMap(describeAnswer) };
}

function describeAnswer({ id, status }: Approval) {
  return status === 'approved' || status === 'refused' ? [{ id, approved: status === 'approved' }] : [];
}

/**
 * Returns the draft of a run. A private draft is visible only to the user who started its check, and to
 * global administrators.
 */
function draftFor(caller: Caller, run: Run) {
  const { draft } = run;
  if (draft === null || (draft.isPrivate && !isOwnRun(run, caller) && !isAdminOfAll(caller))) return {};
  const { name, counts } = draft;
  return { draft: { name, ...(counts && { counts }) } };
}

async function describeApproval(approval: Approval, place: PathOrigin | undefined) {
  const { id, toolName, input, summary, effects, requiredBy, subjects, expiresAt, basis } = approval;
  const isWrite = WRITES.has(toolName) && place !== undefined && basis !== undefined;
  const before = isWrite ? await fileBefore(basis, place) : undefined;
  return {
    ...{ id, toolName, input, summary, effects, requiredBy, subjects, expiresAt },
    ...{ always: suggestPattern(approval) },
    ...{ wider: suggestWider(PATHS.has(toolName) ? 'path' : 'text', approval) },
    ...(before !== undefined && { before }),
  };
}

const WRITES = new Set(['writeFile', 'editFile']);
/** Tools whose patterns match a path. */
const PATHS = new Set([...WRITES, 'readFile', 'listDirectory', 'grep']);
