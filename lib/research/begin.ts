import type { Caller } from '../access/caller.ts';
import { requireRole } from '../access/caller.ts';
import { oneLine } from '../activity/record.ts';
import { callWorker } from '../agent/run/approvals.ts';
import { createRun } from '../agent/run/runs.ts';
import { isOver, KEEP_RUN_SECONDS, type Run } from '../agent/schema.ts';
import { useOf } from '../agent/use.ts';
import { keepRequest } from '../conversations/keep-run.ts';
import { Conflict } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { expiryAfter } from '../ports/clock.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { estimate } from './depths.ts';
import { type StudyRequest, studies } from './kept.ts';
import type { BeginPorts } from './ports.ts';
import type { Budget, Estimate, ResearchBody } from './request-schema.ts';

const MAX_REQUEST_SHOWN = 200;

export interface StartedResearch {
  runId: string;
  conversationId: string;
  estimate: Estimate;
}

type Wanted = Omit<StudyRequest, 'runId' | 'expiresAt'>;

/** Begins a run of research that a worker carries out. The workspace was found for the caller. Throws what refuses it. */
export async function beginResearch(
  ports: BeginPorts,
  caller: Caller,
  workspace: Workspace,
  { question, sources, addresses, depth, budget, language, approvePlan }: Omit<ResearchBody, 'workspaceId'>,
): Promise<StartedResearch> {
  return begin(ports, caller, workspace, undefined, {
    ...{ question, sources, addresses, depth, language, approvePlan },
    ...{ budget: budget ?? null, previousRunId: null, way: 'anew' },
  });
}

/** Goes on from a report that is there: with a further question, or with what is new since. Throws Conflict. */
export async function goOnFrom(
  ports: BeginPorts,
  caller: Caller,
  workspace: Workspace,
  before: { run: Run; study: StudyRequest },
  wanted: { question?: string; budget?: Budget | undefined },
): Promise<StartedResearch> {
  const { run, study } = before;
  if (!isOver(run.status))
    throw new Conflict(`the run is ${run.status}: a report goes on from one that is done`);
  if (run.status !== 'done') throw new Conflict(`the run is ${run.status}: it has no report`);
  const isOwn = run.caller.id === caller.id;
  return begin(ports, caller, workspace, isOwn ? run.conversationId : null, {
    ...study,
    ...{ question: wanted.question ?? study.question, budget: wanted.budget ?? null, approvePlan: false },
    ...{ previousRunId: run.id, way: wanted.question === undefined ? 'refresh' : 'further' },
  });
}

/** What it was asked first, then its run, which is parked: should this process end in between, the tick calls a worker. */
async function begin(
  ports: BeginPorts,
  caller: Caller,
  workspace: Workspace,
  conversation: string | null | undefined,
  wanted: Wanted,
): Promise<StartedResearch> {
  requireRole(caller, 'member');
  const model = ports.openModel(useOf({ caller, workspaceId: workspace.id }));
  await model.admit?.();
  const id = newId();
  const expiresAt = expiryAfter(ports.clock, KEEP_RUN_SECONDS);
  await studies.put(ports.records, { ...wanted, runId: id, expiresAt });
  const conversationId = conversation ?? id;
  const place = { workspaceId: workspace.id, id: conversationId, kind: 'research' as const, mode: null };
  const kept = await keepRequest(ports, caller, place, { id, text: wanted.question });
  await createRun(ports, {
    ...{ id, kind: 'research', parked: true, workspaceId: workspace.id, mode: 'agent', caller, cwd: '' },
    ...{ provider: model.provider, model: model.model, allowedTools: null },
    ...{ conversationId, requestPlace: kept.place, request: oneLine(wanted.question, MAX_REQUEST_SHOWN) },
  });
  await callWorker(ports, id);
  return { runId: id, conversationId, estimate: estimate(wanted, model.model, ports.prices) };
}
