import type { StreamPart } from '../../api-contract/stream-part.ts';
import type { ToolCall } from '../../ports/language-model.ts';
import type { Approved, CallDecision, PendingCall } from '../../runs/approvals.ts';
import { changeSince } from '../../runs/basis.ts';
import { approvalAnswered } from '../../ui-messages/approval-parts.ts';
import { type CheckedCall, checkCall, tellRefused } from '../calls/call.ts';
import { collectResults, type LoopRun, refuse, startCall, toResultMessage } from './steps.ts';

/**
 * Returns the approved call. Returns a refusal if the call is no longer what the person approved: the tool
 * has changed, the rules refuse it or ask for another reason, or a path in it leads elsewhere or has other
 * contents.
 */
async function asApproved(
  run: LoopRun,
  call: ToolCall,
  { input, version, basis }: Approved,
): Promise<CheckedCall> {
  const checked = checkCall(run.tools, { ...call, input });
  if (checked.refusal !== undefined) return checked;
  if (checked.tool.version !== version) return refuse(checked, CHANGED);
  const verdict = await run.judge(checked);
  if (verdict.word === 'refuse') return refuse(checked, verdict.text);
  if (basis === undefined) return refuse(checked, CHANGED);
  const change = changeSince(basis, await run.basisOf(checked, verdict));
  return change === undefined ? checked : refuse(checked, `${change} ${ASK_AGAIN}`);
}

const CHANGED =
  'The tool has changed since a person approved this call, so it was not run. If the call is still needed, make it again, and the person will be asked again.';
const ASK_AGAIN =
  'a person was asked about this call, so it was not run. Check the current state. If the call is still right, make it again, and the person will be asked again.';

/**
 * Runs the calls that waited for approval, and skips denied ones. Compares all calls with their questions
 * before the first one starts, because the person approved the changes of each call together.
 */
export async function* settlePending(
  run: LoopRun,
  decide: (pending: PendingCall) => CallDecision,
): AsyncGenerator<StreamPart> {
  const { conversation } = run;
  const decided = conversation.pending.map((pending) => ({ pending, decision: decide(pending) }));
  // Readers can't approve anything, not even calls that they approved before they became readers.
  await run.requireRights(decided.some(({ decision }) => decision.approved) ? 'member' : undefined);
  const approved = new Map<PendingCall, CheckedCall>();
  for (const { pending, decision } of decided)
    if (decision.approved) approved.set(pending, await asApproved(run, pending.call, decision));
  const running: ReturnType<typeof startCall>[] = [];
  for (const { pending, decision } of decided) {
    const { call, approvalId } = pending;
    const checked = approved.get(pending);
    const { reason } = decision;
    // The call starts before anything is recorded, because it uses up its approval now. If the worker were
    // killed after recording, the call would never run.
    if (decision.approved && checked) running.push(startCall(run, call, checked, decision.by));
    yield approvalAnswered({ approvalId, toolCallId: call.id, approved: decision.approved, reason });
    if (!decision.approved) yield* leaveOut(run, call, decision.text);
  }
  yield* collectResults(run, running);
  conversation.pending = [];
}

async function* leaveOut(run: LoopRun, call: ToolCall, text: string): AsyncGenerator<StreamPart> {
  await tellRefused(checkCall(run.tools, call), run.context);
  yield { type: 'tool-output-denied', toolCallId: call.id };
  run.conversation.messages.push(toResultMessage({ call, output: text, isError: true }));
}
