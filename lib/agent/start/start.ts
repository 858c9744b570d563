import type { Caller } from '../../access/caller.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import type { AgentPorts } from '../ports.ts';
import type { AgentBody } from '../request-schema.ts';
import { answerAndContinue, approvalAnswers } from './answer.ts';
import { beginRun, checkRequest, type Started } from './begin.ts';

/**
 * Returns the workspace in which a request starts a run; undefined if its last message answers approvals, because it
 * then continues their run. Throws refusals that don't require reading the workspace.
 */
export function workspaceToBeginIn(caller: Caller, body: AgentBody): string | undefined {
  if (approvalAnswers(body.messages.at(-1)).length > 0) return undefined;
  checkRequest(caller, body);
  return body.workspaceId;
}

/**
 * Starts a run in the workspace or, if the last message answers an approval, continues its run. All refusals happen
 * here; the work itself continues in the background, whether or not anyone listens.
 */
export async function startAgent(
  ports: AgentPorts,
  caller: Caller,
  workspace: Workspace | undefined,
  body: AgentBody,
  timeLeftMs: number,
): Promise<Started> {
  return workspace === undefined
    ? answerAndContinue(ports, caller, body, approvalAnswers(body.messages.at(-1)), timeLeftMs)
    : beginRun(ports, caller, workspace, body, timeLeftMs);
}
