import type { Caller } from '../../access/caller.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import type { AgentPorts } from '../ports.ts';
import type { AgentBody } from '../request-schema.ts';
import { answerAndContinue, approvalAnswers } from './answer.ts';
import { beginRun, checkRequest, type Started } from './begin.ts';

/**
 * Returns the workspace in which a request starts a run. Undefined if its last message answers approvals,
 * because the request then continues their run. Throws the refusals that don't depend on the workspace.
 */
export function workspaceToBeginIn(caller: Caller, body: AgentBody): string | undefined {
  if (approvalAnswers(body.messages.at(-1)).length > 0) return undefined;
  checkRequest(caller, body);
  return body.workspaceId;
}

/**
 * Starts a run in the workspace or, if the last message answers an approval, continues that run. All refusals
 * happen here; the work itself continues in the background, even if no one reads its stream.
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
