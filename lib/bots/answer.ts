import type { Caller } from '../access/caller.ts';
import { openApprovals, runOfApproval } from '../agent/run/approvals.ts';
import { findRun } from '../agent/run/runs.ts';
import { type Approval, approvals } from '../agent/schema.ts';
import { answerOverApi } from '../agent/start/answer.ts';
import { Conflict, Forbidden, InvalidInput, NotFound } from '../errors.ts';
import { callerOf } from './caller.ts';
import { openChat } from './chats.ts';
import type { BotPorts } from './ports.ts';
import { NOT_SHOWN, numberIn } from './question.ts';
import type { PersonMessage } from './schema.ts';
import { demandTurn } from './turns.ts';

interface Answer {
  approved: boolean;
  reason?: string | undefined;
}

const MAX_REASON = 1000;

/** The answer of a button, or of a command: in the name of who gave it, and only for the run of this chat. */
export async function answerById(
  ports: BotPorts,
  message: PersonMessage,
  approvalId: string,
  answer: Answer,
): Promise<string> {
  const runId = runOfApproval(approvalId);
  const { activeRun } = await openChat(ports, message);
  if (runId === undefined || activeRun?.runId !== runId) throw new NotFound('this is not asked any more');
  if (answer.approved && !activeRun.approvable.includes(approvalId)) throw new Forbidden(NOT_SHOWN);
  const key = { runId, id: approvalId };
  const asked = await approvals.get(ports.records, key);
  if (asked === undefined) throw new NotFound('this is not asked any more');
  try {
    const caller: Caller = { ...callerOf(message), needs: 'member' };
    await answerOverApi(ports, caller, await findRun(ports.records, caller, runId), approvalId, answer);
  } catch (error) {
    // The same answer once more: a second press, or this message delivered again.
    if (!(error instanceof Conflict && isAnswered(await approvals.get(ports.records, key), answer)))
      throw error;
  }
  await demandTurn(ports, message);
  return `${answer.approved ? 'Approved' : 'Refused'}: ${asked.summary}`;
}

function isAnswered(approval: Approval | undefined, { approved }: Answer): boolean {
  const answers = approved ? ['approved', 'used'] : ['refused'];
  return approval !== undefined && answers.includes(approval.status);
}

/** `2 not on Fridays`: the number is for when several wait; the rest is the reason of a refusal. */
export async function answerByNumber(
  ports: BotPorts,
  message: PersonMessage,
  words: string,
  approved: boolean,
): Promise<string> {
  const open = await openQuestions(ports, message);
  if (open.length === 0) throw new InvalidInput('Nothing waits for an answer.');
  const [, number, rest = ''] = /^(?:(\d+)(?:\s+|$))?([\s\S]*)$/.exec(words) ?? [];
  if (number === undefined && open.length > 1) throw new InvalidInput(listOpen(open));
  const chosen = number === undefined ? open[0] : open.find((asked) => asked.number === Number(number));
  if (chosen === undefined) throw new InvalidInput(listOpen(open));
  const reason = rest.trim().slice(0, MAX_REASON).toWellFormed();
  return answerById(ports, message, chosen.id, { approved, reason: reason === '' ? undefined : reason });
}

interface OpenQuestion {
  id: string;
  number: number;
  summary: string;
}

/** What the message can be an answer to: nothing that was asked after it, be it that it is worked off late or again. */
async function openQuestions(ports: BotPorts, message: PersonMessage): Promise<OpenQuestion[]> {
  const { activeRun } = await openChat(ports, message);
  if (activeRun?.question == null || message.receivedAt < activeRun.question.at) return [];
  const { runId, question } = activeRun;
  return (await openApprovals(ports, runId))
    .map(({ id, summary }) => ({ id, summary, number: numberIn(question, id) }))
    .filter(({ number }) => number > 0)
    .sort((one, other) => one.number - other.number);
}

function listOpen(open: OpenQuestion[]): string {
  const lines = open.map(({ number, summary }) => `${number}. ${summary}`);
  return `Say which one by its number:\n${lines.join('\n')}`;
}
