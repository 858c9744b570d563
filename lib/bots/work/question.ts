import { requireRefusal } from '../../known-error.ts';
import { log } from '../../log.ts';
import { suggestPattern } from '../../permissions/always.ts';
import type { BotApproval, ChatFile } from '../../ports/chat-platform.ts';
import type { Approval } from '../../runs/schema.ts';
import type { BotPorts } from '../ports.ts';
import { findPlatform, sendFileOnce } from '../reply/send-reply.ts';
import type { ActiveRun, ChatId } from '../schema.ts';

/** The message for a person who can't approve a call here, because they can't see all of it. */
export const NOT_SHOWN =
  "This is too long to show here in full, so it can't be approved here. Deny it, or approve it in the console.";

/** Returns the number with which a person answers an approval; 0 if it has no number. */
export function numberIn(question: ActiveRun['question'], approvalId: string): number {
  return (question?.ids.indexOf(approvalId) ?? -1) + 1;
}

/**
 * Returns the question for the person. A chat message has a maximum length, so a longer call is sent before
 * it as a file. A call that is too long for a file can't be approved.
 */
export async function prepareQuestion(
  ports: BotPorts,
  chat: ChatId,
  { runId, question }: Pick<ActiveRun, 'runId' | 'question'>,
  open: Approval[],
): Promise<BotApproval[]> {
  const asked = open.map((approval) => {
    const { id, summary, toolName, input } = approval;
    return {
      id,
      number: numberIn(question, id),
      runId,
      summary,
      toolName,
      input,
      approvable: true,
      note: '',
      always: suggestPattern(approval),
    };
  });
  const cut = new Set(findPlatform(ports, chat.platform).cutApprovals(asked));
  return Promise.all(
    asked.map((approval) => (cut.has(approval.id) ? sendWhole(ports, chat, approval) : approval)),
  );
}

async function sendWhole(ports: BotPorts, chat: ChatId, approval: BotApproval): Promise<BotApproval> {
  const file = fileOf(approval);
  try {
    await sendFileOnce(ports, chat, file, `${approval.id} file`);
    return { ...approval, note: `The full text is in the file ${file.name}.` };
  } catch (error) {
    const refused = requireRefusal(error);
    log.warn('an approval could not be shown whole', { runId: approval.runId, reason: refused.message });
    return { ...approval, approvable: false, note: NOT_SHOWN, always: null };
  }
}

/** Gives each file a different name, because a chat may contain several. */
function fileOf({ id, toolName, summary, input }: BotApproval): ChatFile {
  const text = JSON.stringify({ toolName, summary, input: input ?? null }, null, 2);
  return { name: `approval-${id.slice(-8)}.json`, bytes: Buffer.from(text) };
}
