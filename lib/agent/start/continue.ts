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

/** Continues a suspended run to its next stop, for the worker. */
export async function continueParked(ports: AgentPorts, runId: string, timeLeftMs: number): Promise<void> {
  const job = await claimParkedRun(ports, runId, timeLeftMs);
  if (job !== undefined) await workOnRun(ports, agentWork(ports, job));
}

/**
 * Ends a run that is handed off endlessly, for the worker. Does nothing if another process has it, or if it has ended
 * or waits.
 */
export async function endParkedRun(ports: AgentPorts, runId: string, reason: string): Promise<void> {
  const run = await claimParked(ports, runId);
  if (run !== undefined) await failJob(ports, run, new Conflict('run_ended', `The run was ended: ${reason}`));
}

/**
 * Claims a suspended run with everything needed to continue it; undefined if another process has it, or if it has ended
 * or still waits.
 */
export async function claimParkedRun(
  ports: AgentPorts,
  runId: string,
  timeLeftMs: number,
): Promise<AgentJob | undefined> {
  // Read first. If another process has worked on the run since, this state is old and the claim fails.
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

/** Parses the conversation of a run. A missing one ends the run, because a suspended run would be retried forever. */
function readConversation(bytes: Uint8Array | undefined): AgentConversation {
  if (bytes === undefined)
    throw new NotFound('conversation_not_found', 'The conversation of this run no longer exists.');
  return JSON.parse(Buffer.from(bytes).toString()) as AgentConversation;
}
