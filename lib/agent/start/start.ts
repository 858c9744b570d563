import type { Caller } from '../../access/caller.ts';
import type { AgentPorts } from '../ports.ts';
import type { AgentBody } from '../request-schema.ts';
import { answerAndContinue, approvalAnswers } from './answer.ts';
import { beginRun, type Started } from './begin.ts';

/**
 * Begins a run, or goes on with the one that the last message answers an approval of. Everything that can be refused is
 * refused here; the work itself goes on by itself, whether or not anybody listens.
 */
export async function startAgent(
  ports: AgentPorts,
  caller: Caller,
  body: AgentBody,
  timeLeftMs: number,
): Promise<Started> {
  const answers = approvalAnswers(body.messages.at(-1));
  return answers.length > 0
    ? answerAndContinue(ports, caller, body, answers, timeLeftMs)
    : beginRun(ports, caller, body, timeLeftMs);
}
