import { type Caller, requireRole } from '../../access/caller.ts';
import { addAlwaysOf, answerOverApi } from '../../agent/start/answer.ts';
import { Conflict, Forbidden, InvalidInput, NotFound } from '../../errors.ts';
import { suggestPattern } from '../../permissions/always.ts';
import { openApprovals, runOfApproval } from '../../runs/approvals.ts';
import { findRun } from '../../runs/runs.ts';
import { type Approval, approvals } from '../../runs/schema.ts';
import { callerOfMessage } from '../caller.ts';
import { openChat } from '../chats.ts';
import type { BotPorts } from '../ports.ts';
import type { PersonMessage } from '../schema.ts';
import { requestWork } from './chat-lease.ts';
import { NOT_SHOWN, numberIn } from './question.ts';

interface Answer {
  approved: boolean;
  /** With `run`, calls like the offered one need no approval until the run ends. */
  scope?: 'run' | undefined;
  reason?: string | undefined;
  /** The pattern of a rule, as it was offered. Matching calls will need no approval. */
  always?: string | undefined;
}

const MAX_REASON = 1000;

/**
 * Answers an approval by a button or a command, with the rights of its sender, and only for a run of this
 * chat.
 */
export async function answerById(
  ports: BotPorts,
  message: PersonMessage,
  approvalId: string,
  answer: Answer,
): Promise<string> {
  const asked = await findAsked(ports, message, approvalId, answer);
  if (answer.always !== undefined) requireOffered(message, asked, answer.always);
  await giveOnce(ports, { ...callerOfMessage(message), needs: 'member' }, asked, answer);
  await requestWork(ports, message);
  return `${answer.approved ? 'Approved' : 'Denied'}: ${asked.summary}${alsoAllowed(asked, answer)}`;
}

/** Returns what the answer allows besides the call. */
function alsoAllowed(asked: Approval, { scope, always }: Answer): string {
  if (scope === 'run')
    return `\nUntil this run ends, ${asked.toolName} can do this again: ${suggestPattern(asked)}`;
  return always === undefined ? '' : `\nFrom now on ${ruleOf(asked.toolName, always)}.`;
}

/** Throws NotFound, and Forbidden for a call that the person couldn't see completely. */
async function findAsked(
  ports: BotPorts,
  message: PersonMessage,
  id: string,
  { approved }: Answer,
): Promise<Approval> {
  const runId = runOfApproval(id);
  const { activeRun } = await openChat(ports, message);
  if (runId === undefined || activeRun?.runId !== runId)
    throw new NotFound('approval_not_found', 'This approval is no longer open.');
  if (approved && !activeRun.approvable.includes(id)) throw new Forbidden('approval_not_shown', NOT_SHOWN);
  const asked = await approvals.get(ports.records, { runId, id });
  if (asked === undefined) throw new NotFound('approval_not_found', 'This approval is no longer open.');
  return asked;
}

/**
 * Gives an answer. Giving the same answer again changes nothing, because a button may be pressed twice, or a
 * delivery repeated.
 */
async function giveOnce(ports: BotPorts, caller: Caller, asked: Approval, answer: Answer): Promise<void> {
  const run = await findRun(ports.records, caller, asked.runId);
  try {
    await answerOverApi(ports, caller, run, asked.id, answer);
  } catch (error) {
    if (!(error instanceof Conflict && isAnswered(await approvals.get(ports.records, asked), answer)))
      throw error;
    if (answer.always !== undefined) await addAlwaysOf(ports, caller, run, asked.id, answer.always);
  }
}

/** Refuses any rule wider than the one shown, whatever a card or a message contains. Throws Forbidden, InvalidInput. */
function requireOffered(message: PersonMessage, asked: Approval, always: string): void {
  requireRole(callerOfMessage(message), 'member');
  if (suggestPattern(asked) !== always)
    throw new InvalidInput(
      'rule_not_offered',
      'This rule was not offered. Answer with the words that were shown.',
    );
}

function ruleOf(toolName: string, always: string): string {
  return `${toolName} can do this in this workspace without approval: ${always}`;
}

function isAnswered(approval: Approval | undefined, { approved }: Answer): boolean {
  const answers = approved ? ['approved', 'used'] : ['refused'];
  return approval !== undefined && answers.includes(approval.status);
}

/**
 * Approves a call, and adds the rule. The person confirms it by typing the rule as shown: `git pull`, or `2
 * git pull` if several calls wait.
 */
export async function answerAlways(ports: BotPorts, message: PersonMessage, words: string): Promise<string> {
  const open = await openQuestions(ports, message);
  if (open.length === 0)
    throw new InvalidInput('nothing_to_approve', 'Nothing is waiting for your approval.');
  const chosen = open.find(({ always, number }) => {
    return always !== null && (words === `${number} ${always}` || (open.length === 1 && words === always));
  });
  if (chosen?.always == null) throw new InvalidInput('rule_not_offered', listOffered(open));
  return answerById(ports, message, chosen.id, { approved: true, always: chosen.always });
}

function listOffered(open: OpenQuestion[]): string {
  const offered = open.filter(({ always }) => always !== null);
  if (offered.length === 0) return 'No rule can be added for this here. Answer with /approve or /deny.';
  const lines = offered.map(
    ({ number, always }) => `/always ${open.length === 1 ? '' : `${number} `}${always}`,
  );
  return `To add a rule, send exactly this:\n${lines.join('\n')}`;
}

/**
 * Answers `2 not on Fridays`. The number is needed if several approvals wait; the rest is the reason for a
 * denial.
 */
export async function answerByNumber(
  ports: BotPorts,
  message: PersonMessage,
  words: string,
  { approved, scope }: Pick<Answer, 'approved' | 'scope'>,
): Promise<string> {
  const open = await openQuestions(ports, message);
  if (open.length === 0)
    throw new InvalidInput('nothing_to_approve', 'Nothing is waiting for your approval.');
  const [, number, rest = ''] = /^(?:(\d+)(?:\s+|$))?([\s\S]*)$/.exec(words) ?? [];
  if (number === undefined && open.length > 1) throw new InvalidInput('approval_unclear', listOpen(open));
  const chosen = number === undefined ? open[0] : open.find((asked) => asked.number === Number(number));
  if (chosen === undefined) throw new InvalidInput('approval_unclear', listOpen(open));
  const reason = rest.trim().slice(0, MAX_REASON).toWellFormed();
  const given = { approved, scope, reason: reason === '' ? undefined : reason };
  return answerById(ports, message, chosen.id, given);
}

interface OpenQuestion {
  id: string;
  number: number;
  summary: string;
  always: string | null;
}

/**
 * Returns the questions that the message can answer: those that were asked before it, even if the message is
 * handled late or again.
 */
async function openQuestions(ports: BotPorts, message: PersonMessage): Promise<OpenQuestion[]> {
  const { activeRun } = await openChat(ports, message);
  if (activeRun?.question == null || message.receivedAt < activeRun.question.at) return [];
  const { runId, question } = activeRun;
  return (await openApprovals(ports, runId))
    .map((approval) => {
      const { id, summary } = approval;
      return { id, summary, always: suggestPattern(approval), number: numberIn(question, id) };
    })
    .filter(({ number }) => number > 0)
    .sort((one, other) => one.number - other.number);
}

function listOpen(open: OpenQuestion[]): string {
  const lines = open.map(({ number, summary }) => `${number}. ${summary}`);
  return `Add the number of the approval:\n${lines.join('\n')}`;
}
