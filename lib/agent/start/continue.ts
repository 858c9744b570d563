import { Conflict, NotFound } from '../../errors.ts';
import { openApprovals } from '../../runs/approvals.ts';
import { claimParked } from '../../runs/continue-parked.ts';
import { runUsage } from '../../runs/run-usage.ts';
import { claimRun } from '../../runs/runs.ts';
import { type Run, runs } from '../../runs/schema.ts';
import { failRun, workOnRun } from '../../runs/work-on-run.ts';
import { findWorkspace } from '../../workspaces/access.ts';
import { type AgentJob, agentWork, conversationKey, forgetConversation } from '../loop/agent-work.ts';
import type { AgentConversation } from '../loop/conversation.ts';
import type { AgentPorts } from '../ports.ts';

/** For the worker: continues a suspended run until its next stop. */
export async function continueParked(ports: AgentPorts, runId: string, timeLeftMs: number): Promise<void> {
  const job = await claimParkedRun(ports, runId, timeLeftMs);
  if (job !== undefined) await workOnRun(ports, agentWork(ports, job));
}

/**
 * For the worker: ends a run that is handed off endlessly. Does nothing if another process works on the run,
 * or if the run has ended or waits.
 */
export async function endParkedRun(ports: AgentPorts, runId: string, reason: string): Promise<void> {
  const run = await claimParked(ports, runId);
  if (run !== undefined) await failJob(ports, run, new Conflict('run_ended', `The run was ended: ${reason}`));
}

/**
 * Claims a suspended run with everything needed to continue it. Undefined if another process works on it, or
 * if it has ended or still waits.
 */
export async function claimParkedRun(
  ports: AgentPorts,
  runId: string,
  timeLeftMs: number,
): Promise<AgentJob | undefined> {
  // The state is read first: if another process has worked on the run since, the claim fails.
  const parked = await runs.get(ports.records, { id: runId });
  if (!parked?.parked || (await openApprovals(ports, runId)).length > 0) return undefined;
  const bytes = await ports.objects.getBytes(conversationKey(runId));
  const run = await claimRun(ports, parked);
  if (run === undefined) return undefined;
  try {
    return { ...(await findWork(ports, run, bytes)), timeLeftMs };
  } catch (error) {
    await failJob(ports, run, error);
    return undefined;
  }
}

function failJob(ports: AgentPorts, run: Run, error: unknown): Promise<void> {
  const forget = () => forgetConversation(ports, run.id);
  return failRun(ports, { run, steps: () => run.steps, forget }, error);
}

/**
 * Finds everything that a run needs to continue on behalf of its owner. Throws the errors of findWorkspace, NotFound,
 * NotConfigured.
 */
async function findWork(ports: AgentPorts, run: Run, bytes: Uint8Array | undefined) {
  const workspace = await findWorkspace(ports.records, run.rightsOf ?? run.caller, run.workspaceId);
  return {
    run,
    workspace,
    conversation: readConversation(bytes),
    model: ports.openModel(runUsage(run), run),
  };
}

/**
 * Parses the conversation of a run. A missing conversation ends the run; otherwise, it would be retried
 * forever.
 */
function readConversation(bytes: Uint8Array | undefined): AgentConversation {
  if (bytes === undefined)
    throw new NotFound('conversation_not_found', 'The conversation of this run no longer exists.');
  return JSON.parse(Buffer.from(bytes).toString()) as AgentConversation;
}
