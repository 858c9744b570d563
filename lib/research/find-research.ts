import type { Caller } from '../access/caller.ts';
import type { ErrorCode } from '../error-codes.ts';
import { Conflict, NotFound } from '../errors.ts';
import type { Records } from '../ports/records.ts';
import type { ModelPrices } from '../prices/schema.ts';
import { framesSoFar } from '../run-events/follow-frames.ts';
import { answerApproval, callAgentWorker } from '../runs/approvals.ts';
import type { RunPorts } from '../runs/ports.ts';
import { findRun, RUN_ERRORS } from '../runs/runs.ts';
import type { Run } from '../runs/schema.ts';
import { checkAlive } from '../runs/sweep.ts';
import { findWorkspacesOf } from '../workspaces/all-workspaces.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { estimate } from './depths.ts';
import { readExtracts } from './extracts/read-extracts.ts';
import { foldFrames, reportOf } from './fold-frames.ts';
import type { PlanBody, Research } from './request-schema.ts';
import { type StudyRequest, studies } from './run-records.ts';
import type { Report } from './schema.ts';
import { findPlanApproval } from './work/await-plan.ts';
import { withId } from './work/plan.ts';

/** The error codes of a request that names a report. */
export const REPORT_ERRORS = [...RUN_ERRORS, 'report_not_found'] as const satisfies ErrorCode[];

export interface FoundResearch {
  run: Run;
  study: StudyRequest;
}

/** Finds a run for a caller with access to its workspaces. Throws NotFound, and the errors of findWorkspace. */
export async function findResearch(records: Records, caller: Caller, runId: string): Promise<FoundResearch> {
  const run = await findRun(records, caller, runId);
  const study = await studies.get(records, { runId });
  if (study === undefined) throw new NotFound('report_not_found', 'This report does not exist.');
  return { run, study };
}

/** Finds a report to continue, with its workspaces. Throws like findResearch. */
export async function findEarlier(
  records: Records,
  caller: Caller,
  runId: string,
): Promise<FoundResearch & { asked: Workspace | Workspace[] }> {
  const found = await findResearch(records, caller, runId);
  return { ...found, asked: await findWorkspacesOf(records, caller, found.run) };
}

/** Returns the run in the API's form. */
export async function describeResearch(
  ports: RunPorts & { prices: ModelPrices },
  { run: found, study }: FoundResearch,
): Promise<Research> {
  const run = await checkAlive(ports, found);
  const [frames, extracts] = await Promise.all([
    framesSoFar(ports.records, run.id),
    readExtracts(ports.records, run.id),
  ]);
  const folded = foldFrames(frames);
  const { plan, sections, looked, counts, finished } = folded;
  const evidence = folded.evidence.map((each) => {
    const fileHash = extracts.get(each.id)?.fileHash;
    return fileHash === undefined ? each : { ...each, fileHash };
  });
  const { calls, inputTokens, outputTokens, costUsd } = folded;
  return {
    ...{ runId: run.id, workspaceId: run.workspaceId, conversationId: run.conversationId },
    ...(run.workspaceIds && { workspaceIds: run.workspaceIds }),
    ...{ previousRunId: study.previousRunId, question: study.question, depth: study.depth },
    ...(study.filter && { filter: study.filter }),
    ...{ status: run.status, error: run.error, ended: finished?.ended ?? null },
    ...{ plan, evidence, sections, looked, openQuestions: finished?.report.openQuestions ?? [] },
    createdAt: run.createdAt,
    ...{ noteId: finished?.noteId ?? null, counts: finished?.report.counts ?? counts },
    ...{ calls, inputTokens, outputTokens, costUsd },
    estimate: estimate(study, run.model, ports.prices),
  };
}

/** Returns the finished report. Throws Conflict while there is none. */
export async function readReport(records: Records, { run }: FoundResearch): Promise<Report> {
  const report = reportOf(foldFrames(await framesSoFar(records, run.id)));
  if (report === undefined)
    throw new Conflict('report_not_ready', `This run has no report yet (${run.status}).`);
  return report;
}

/**
 * Answers a waiting run's plan approval. Throws NotFound, Forbidden for anyone except the caller who started it,
 * Conflict.
 */
export async function answerPlan(
  ports: RunPorts,
  caller: Caller,
  { run }: FoundResearch,
  { questions, approved }: PlanBody,
): Promise<void> {
  const asked = await findPlanApproval(ports.records, run.id);
  if (asked === undefined)
    throw new Conflict('plan_not_waiting', "This run isn't waiting for the approval of a plan.");
  const edited = questions && { questions: questions.map(withId) };
  await answerApproval(ports, run, caller, asked.id, { approved, edited });
  await callAgentWorker(ports, run.id);
}
