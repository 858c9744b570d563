import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../access/caller.ts';
import type { CallEffect } from '../api-contract/call-effects.ts';
import { audited } from '../audit/record.ts';
import type { ErrorCode } from '../error-codes.ts';
import { Conflict, Forbidden, NotFound } from '../errors.ts';
import type { Grant } from '../permissions/schema.ts';
import { timestamp } from '../ports/clock.ts';
import type { ToolCall } from '../ports/language-model.ts';
import type { Queue } from '../ports/queue.ts';
import { ExpectationFailed, type Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { deniedText } from '../ui-messages/approval-parts.ts';
import { lookSoon } from './lease.ts';
import { type Approval, type ApprovalBasis, approvals, isRunOver, type Run, runPartition } from './schema.ts';

/** Error codes of an answer to an approval. */
export const APPROVAL_ERRORS = [
  'approval_answered',
  'approval_expired',
  'approval_input_changed',
  'approval_not_found',
  'owner_only',
  'run_over',
] as const satisfies ErrorCode[];

/**
 * The maximum length of a summary in characters. A record has at most 400 KB, of which the arguments may take 300 KB.
 */
const MAX_SUMMARY = 10_000;
const MAX_REASONS = 3_000;
const MAX_SUBJECTS = 50;
const KEEP_OPEN_MS = 24 * 60 * 60 * 1000;

export interface PendingCall {
  call: ToolCall;
  approvalId: string;
}

/**
 * An approval with the exact arguments as JSON, the approver, and the facts on which the question was based.
 */
export interface Approved {
  approved: true;
  input: string;
  by: string;
  version?: string | undefined;
  basis?: ApprovalBasis | undefined;
  reason?: string | undefined;
}

/** A person's answer to a pending call, or the text that the model gets instead. */
export type CallDecision = Approved | { approved: false; text: string; reason?: string | undefined };

/** A question to a person. */
export interface Question {
  summary: string;
  /** Subjects that a pattern of an answer with "always" can match. */
  subjects: string[];
  basis?: ApprovalBasis | undefined;
  /** The certain effects of the call. */
  effects?: CallEffect[];
  /** The rules that require it. */
  requiredBy?: string;
}

/** What needs approval: a tool call, or something else with a tool name. */
interface AskedCall {
  call: Pick<ToolCall, 'id'>;
  tool: { name: string; version?: string };
  input: object;
}

/**
 * Stores the question for a person about this call with exactly these arguments, in this run. The run's owner
 * answers it. `place` is the number of earlier requests that wait at the same time.
 */
export async function askForApproval(
  { records, clock }: TimedRecords,
  run: Run,
  { call, tool, input }: AskedCall,
  { summary, subjects, basis, effects = [], requiredBy }: Question,
  place = 0,
): Promise<string> {
  // Starts with the run's ID, so that the approval's ID is enough to find its run. The position follows,
  // because lists are sorted by ID.
  const id = `${run.id}-${place.toString(16).padStart(2, '0')}${randomBytes(7).toString('hex')}`;
  await approvals.create(records, {
    id,
    runId: run.id,
    toolCallId: call.id,
    toolName: tool.name,
    ...(tool.version !== undefined && { toolVersion: tool.version }),
    ...(basis !== undefined && { basis }),
    input,
    summary: summary.slice(0, MAX_SUMMARY).toWellFormed(),
    effects,
    requiredBy: requiredBy?.slice(0, MAX_REASONS).toWellFormed() ?? null,
    subjects: subjects.slice(0, MAX_SUBJECTS).map((subject) => subject.toWellFormed()),
    callerId: run.caller.id,
    status: 'waiting',
    reason: null,
    answeredAt: null,
    expiresAt: timestamp(clock, KEEP_OPEN_MS),
  });
  return id;
}

/** Returns the run to which an approval belongs. IDs in another form were never issued. */
export function runOfApproval(approvalId: string): string | undefined {
  return /^([0-9a-f-]{36})-[0-9a-f]{16}$/.exec(approvalId)?.[1];
}

export interface ApprovalAnswer {
  approved: boolean;
  reason?: string | undefined;
  /** The arguments that the person saw, if the answer includes them. */
  input?: unknown;
  /** The arguments as edited by the person, which are approved. */
  edited?: unknown;
  /** The calls that the answer also allows until the end of the run. */
  grant?: Grant | undefined;
}

/**
 * Accepts a person's answer through any entry point, and audits it. Of several concurrent answers, one counts. Throws
 * NotFound, Forbidden for anyone except the caller who started the run, Conflict if it was already answered, has
 * expired, or its run has ended.
 */
export async function answerApproval(
  ports: TimedRecords,
  run: Run,
  caller: Caller,
  approvalId: string,
  answer: ApprovalAnswer,
): Promise<Approval> {
  const said = answer.approved ? 'approved' : 'refused';
  const { grant } = answer;
  const also = grant && `, and for this run ${grant.tool} ${JSON.stringify(grant.pattern)}`;
  const subject = { workspaceId: run.workspaceId, about: `${said} ${approvalId}${also ?? ''}` };
  return audited(ports, caller, { action: 'approvals.answer', ...subject }, () =>
    takeAnswer(ports, run, caller, approvalId, answer),
  );
}

async function takeAnswer(
  { records, clock }: TimedRecords,
  run: Run,
  caller: Caller,
  approvalId: string,
  answer: ApprovalAnswer,
): Promise<Approval> {
  const key = { runId: run.id, id: approvalId };
  const approval = await approvals.get(records, key);
  if (approval === undefined) throw new NotFound('approval_not_found', 'This approval does not exist.');
  if (approval.callerId !== caller.id)
    throw new Forbidden('owner_only', 'Only the person who started this run can answer its approvals.');
  // Approvals can be requested before the run waits.
  if (isRunOver(run.status)) throw new Conflict('run_over', `This run is already over (${run.status}).`);
  const { input } = answer;
  if (input !== undefined && !isDeepStrictEqual(input, approval.input))
    throw new Conflict(
      'approval_input_changed',
      "The arguments don't match the ones in the approval. Reload the approval, then answer it.",
    );
  if (clock.now() >= Date.parse(approval.expiresAt))
    throw new Conflict('approval_expired', 'This approval has expired.');
  const set = { ...recorded(answer), answeredAt: timestamp(clock) };
  await lookSoon({ records, clock }, run.id);
  try {
    return await approvals.update(records, key, { set }, { status: 'waiting' });
  } catch (error) {
    if (error instanceof ExpectationFailed)
      throw new Conflict('approval_answered', 'This approval was already answered.');
    throw error;
  }
}

function recorded({ approved, reason, edited, grant }: ApprovalAnswer) {
  return {
    ...{ status: approved ? ('approved' as const) : ('refused' as const), reason: reason ?? null },
    ...(edited !== undefined && { input: edited }),
    ...(grant && { grant }),
  };
}

export async function approvalsOf(records: Records, runId: string): Promise<Approval[]> {
  const found: Approval[] = [];
  const query = { partition: runPartition(runId), sortPrefix: 'APPROVAL#' };
  for await (const approval of approvals.all(records, query)) found.push(approval);
  return found;
}

/** Returns the calls that answers allowed until the end of the run. */
export async function grantsOfRun(records: Records, runId: string): Promise<Grant[]> {
  return (await approvalsOf(records, runId)).flatMap(({ grant }) => grant ?? []);
}

/** Returns the approvals that block the run because they are neither answered nor expired. */
export async function openApprovals({ records, clock }: TimedRecords, runId: string): Promise<Approval[]> {
  const now = timestamp(clock);
  return (await approvalsOf(records, runId)).filter(
    ({ status, expiresAt }) => status === 'waiting' && expiresAt > now,
  );
}

/** Returns when the latest of these approvals was requested, in milliseconds since 1970. */
export function askedSince(asked: Approval[]): number {
  return Math.max(...asked.map(({ expiresAt }) => Date.parse(expiresAt))) - KEEP_OPEN_MS;
}

/** True if the approval can still be answered. */
export async function isApprovalOpen(
  { records, clock }: TimedRecords,
  runId: string,
  id: string,
): Promise<boolean> {
  const approval = await approvals.get(records, { runId, id });
  return approval?.status === 'waiting' && approval.expiresAt > timestamp(clock);
}

/** Calls a worker to continue a run that no longer waits for anything. Idempotent. */
export async function callAgentWorker({ agentQueue }: { agentQueue: Queue }, runId: string): Promise<void> {
  await agentQueue.send([{ body: { runId } }]);
}

/**
 * Returns the answer to each waiting call. An expired approval counts as denied. Ends the run's approvals, so
 * that none can be used twice, and no answer is accepted after this read.
 */
export async function readDecisions(
  records: Records,
  runId: string,
): Promise<(pending: PendingCall) => CallDecision> {
  const ended = (await approvalsOf(records, runId)).map((approval) => endApproval(records, approval));
  const answers = new Map((await Promise.all(ended)).map((approval) => [approval.id, approval]));
  return ({ approvalId, call }) => {
    const answer = answers.get(approvalId);
    // The approved arguments are used, never those in the conversation.
    if (answer?.status === 'approved' && answer.toolCallId === call.id && answer.toolName === call.name)
      return {
        approved: true,
        input: JSON.stringify(answer.input),
        by: answer.callerId,
        version: answer.toolVersion,
        basis: answer.basis,
        reason: answer.reason ?? undefined,
      };
    return { approved: false, text: describeRefusal(answer), reason: reasonOfRefusal(answer) };
  };
}

const ENDED = { waiting: 'expired', approved: 'used' } as const;

/** Returns the approval as it was before this call ended it. */
async function endApproval(records: Records, approval: Approval): Promise<Approval> {
  const { status } = approval;
  if (status !== 'waiting' && status !== 'approved') return approval;
  try {
    await approvals.update(records, approval, { set: { status: ENDED[status] } }, { status });
    return approval;
  } catch (error) {
    if (!(error instanceof ExpectationFailed)) throw error;
    const changed = await approvals.get(records, approval); // just answered
    return changed === undefined ? { ...approval, status: 'expired' } : endApproval(records, changed);
  }
}

const USED = 'The approval of this call was already used, so the call was not run again.';
const EXPIRED = 'Nobody approved this call in time, so it was not run.';

function describeRefusal(answer: Approval | undefined): string {
  if (answer?.status === 'used') return USED;
  if (answer?.status !== 'refused') return `${EXPIRED} Continue without it.`;
  return `${deniedText(answer.reason ?? undefined)} Do not try it again unless you are asked to.`;
}

/** Returns the text that a person reads next to the call. */
function reasonOfRefusal(answer: Approval | undefined): string | undefined {
  if (answer?.status === 'used') return USED;
  return answer?.status === 'refused' ? (answer.reason ?? undefined) : EXPIRED;
}
