import type { Caller } from '../access/caller.ts';
import { requireRole } from '../access/caller.ts';
import { oneLine } from '../activity/record.ts';
import { keepRequest, RUN_REQUEST_ERRORS } from '../conversations/turn/keep-run.ts';
import type { ErrorCode } from '../error-codes.ts';
import { Conflict } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { expiryAfter } from '../ports/clock.ts';
import { MODEL_ADMISSION_ERRORS } from '../ports/language-model.ts';
import { admitOthers, placedIn, placesOf } from '../retrieval/places.ts';
import { callAgentWorker } from '../runs/approvals.ts';
import type { BeginPorts } from '../runs/ports.ts';
import { runUsage } from '../runs/run-usage.ts';
import { createRun, type NewRun } from '../runs/runs.ts';
import { isRunOver, KEEP_RUN_SECONDS, type Run, runs } from '../runs/schema.ts';
import type { RunBudget } from '../runs/steps/limits.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { estimate } from './depths.ts';
import type { Estimate, ResearchWish } from './request-schema.ts';
import { type StudyRequest, studies } from './run-records.ts';

/** The error codes of a report that can't start. */
export const BEGIN_RESEARCH_ERRORS = [
  ...MODEL_ADMISSION_ERRORS,
  ...RUN_REQUEST_ERRORS,
  'run_already_started',
] as const satisfies ErrorCode[];

const MAX_REQUEST_SHOWN = 200;

export interface StartedResearch {
  runId: string;
  conversationId: string;
  estimate: Estimate;
}

type Wanted = Omit<StudyRequest, 'runId' | 'expiresAt'>;

/**
 * Properties of a run in addition to its request. With an ID, the run starts only once, for a caller that
 * derives the ID from known data and can't tell after a crash whether it started the run. A run that no
 * person started (such as a scheduled one) belongs to no conversation.
 */
export type RunFields = Pick<NewRun, 'id' | 'unattended' | 'rightsOf'>;

/**
 * Starts a research run for a worker. The caller's workspaces have already been found, and the first of several
 * gets the run and its usage. Throws if the run is rejected.
 */
export async function beginResearch(
  ports: BeginPorts,
  caller: Caller,
  asked: Workspace | Workspace[],
  { question, sources, filter, addresses, depth, budget, language, approvePlan }: ResearchWish,
  fields: RunFields = {},
): Promise<StartedResearch> {
  const wanted: Wanted = {
    ...{ question, sources, filter, addresses, depth, language, approvePlan },
    ...{ budget: budget ?? null, previousRunId: null, way: 'anew' },
  };
  return begin(ports, { caller, asked, wanted, fields });
}

/** Continues an existing report with a follow-up question, or refreshes it. Throws Conflict. */
export async function goOnFrom(
  ports: BeginPorts,
  caller: Caller,
  asked: Workspace | Workspace[],
  before: { run: Run; study: StudyRequest },
  wanted: { question?: string; budget?: RunBudget | undefined },
  fields: RunFields = {},
): Promise<StartedResearch> {
  const { run, study } = before;
  if (!isRunOver(run.status))
    throw new Conflict(
      'report_not_ready',
      `This report isn't finished (${run.status}). Wait until it is done.`,
    );
  if (run.status !== 'done')
    throw new Conflict(
      'report_not_ready',
      `This run has no report, because it ${run.status === 'stopped' ? 'was stopped' : 'failed'}.`,
    );
  const conversationId = run.caller.id === caller.id ? run.conversationId : null;
  const further: Wanted = {
    ...study,
    ...{ question: wanted.question ?? study.question, budget: wanted.budget ?? null, approvePlan: false },
    ...{ previousRunId: run.id, way: wanted.question === undefined ? 'refresh' : 'further' },
  };
  return begin(ports, { caller, asked, wanted: further, fields: { ...fields, conversationId } });
}

type Fields = RunFields & Pick<NewRun, 'conversationId'>;

interface Beginning {
  caller: Caller;
  asked: Workspace | Workspace[];
  wanted: Wanted;
  fields: Fields;
}

async function begin(ports: BeginPorts, beginning: Beginning): Promise<StartedResearch> {
  requireRole(beginning.caller, 'member');
  const run = (await findBegun(ports, beginning.fields)) ?? (await beginOnce(ports, beginning));
  const expected = estimate(beginning.wanted, run.model, ports.prices);
  return { runId: run.id, conversationId: run.conversationId ?? run.id, estimate: expected };
}

async function findBegun({ records }: BeginPorts, { id }: Fields): Promise<Run | undefined> {
  return id === undefined ? undefined : runs.get(records, { id });
}

async function beginOnce(ports: BeginPorts, beginning: Beginning): Promise<Run> {
  try {
    return await beginRun(ports, beginning);
  } catch (error) {
    const begun = error instanceof Conflict ? await findBegun(ports, beginning.fields) : undefined;
    if (begun === undefined) throw error;
    return begun; // another caller has just started it
  }
}

/**
 * Stores the request first, then the suspended run, so that the scheduler tick calls a worker if this process
 * dies in between.
 */
async function beginRun(ports: BeginPorts, beginning: Beginning): Promise<Run> {
  const { caller, wanted } = beginning;
  const { workspace, workspaces } = placesOf(beginning.asked);
  const of = placedIn([workspace, ...(workspaces ?? []).slice(1)]);
  const { id = newId(), conversationId, ...fields } = beginning.fields;
  const use = runUsage({ caller, rightsOf: fields.rightsOf, workspaceId: workspace.id });
  const model = ports.openModel(use);
  await model.admit?.();
  await admitOthers(ports, use, workspaces);
  await studies.put(ports.records, {
    ...wanted,
    runId: id,
    expiresAt: expiryAfter(ports.clock, KEEP_RUN_SECONDS),
  });
  const place = {
    ...{ ...of, id: conversationId ?? id, runId: id },
    ...{ kind: 'research' as const, mode: null },
  };
  const kept = fields.unattended
    ? undefined
    : await keepRequest(ports, caller, place, { id, text: wanted.question });
  const run = await createRun(ports, {
    ...{ id, kind: 'research', parked: true, ...of, mode: 'agent', caller, cwd: '', ...fields },
    ...{ provider: model.provider, model: model.model, allowedTools: null },
    ...{ conversationId: kept?.conversationId ?? null, requestPlace: kept?.place ?? null },
    request: oneLine(wanted.question, MAX_REQUEST_SHOWN),
  });
  await callAgentWorker(ports, id);
  return run;
}
