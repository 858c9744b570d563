import { type Caller, requireRole } from '../../access/caller.ts';
import { audited } from '../../audit/record.ts';
import { InvalidInput, NotFound } from '../../errors.ts';
import { requireSeen } from '../../permissions/always.ts';
import { addAlways, requireAddable } from '../../permissions/store.ts';
import { lastFrame } from '../../run-events/record-frames.ts';
import {
  answerApproval,
  approvalsOf,
  callAgentWorker,
  openApprovals,
  runOfApproval,
} from '../../runs/approvals.ts';
import { findRun } from '../../runs/runs.ts';
import { approvals, type Run } from '../../runs/schema.ts';
import { workOnRun } from '../../runs/work-on-run.ts';
import type { MessagePart, UiMessage } from '../../ui-messages/ui-message.ts';
import { patternKindOf } from '../calls/judge-call.ts';
import { agentWork } from '../loop/agent-work.ts';
import type { AgentPorts } from '../ports.ts';
import type { AgentBody } from '../request-schema.ts';
import type { Started } from './begin.ts';
import { claimParkedRun } from './continue.ts';

const MAX_CALL_SHOWN = 500;

/** Returns the answers to approvals in a client's message. */
export function approvalAnswers(message: UiMessage | undefined): MessagePart[] {
  if (message?.role !== 'assistant') return [];
  return message.parts.filter(
    ({ state, approval }) => state === 'approval-responded' && approval?.approved !== undefined,
  );
}

/** Continues the conversation that the service stored, not the one that the client sent. */
export async function answerAndContinue(
  ports: AgentPorts,
  caller: Caller,
  body: AgentBody,
  answers: MessagePart[],
  timeLeftMs: number,
): Promise<Started> {
  requireRole(caller, 'member');
  const run = await findAnsweredRun(ports, caller, body, answers);
  const after = await lastFrame(ports.records, run.id);
  for (const { approval, input } of await newAnswers(ports, run.id, answers)) {
    const { id = '', approved = false, reason } = approval ?? {};
    await answerApproval(ports, run, caller, id, { approved, reason, input });
  }
  const job = await claimParkedRun(ports, run.id, timeLeftMs);
  const working = job === undefined ? Promise.resolve() : workOnRun(ports, agentWork(ports, job));
  return { run: job?.run ?? run, after, working };
}

/**
 * A message also contains the run's earlier answers if the client missed their results. If all are old, the message is
 * a replay.
 */
async function newAnswers(
  { records }: AgentPorts,
  runId: string,
  answers: MessagePart[],
): Promise<MessagePart[]> {
  const known = new Map((await approvalsOf(records, runId)).map(({ id, status }) => [id, status]));
  const fresh = answers.filter(({ approval }) => known.get(approval?.id ?? '') === 'waiting');
  return fresh.length > 0 ? fresh : answers;
}

async function findAnsweredRun(
  ports: AgentPorts,
  caller: Caller,
  body: AgentBody,
  answers: MessagePart[],
): Promise<Run> {
  const runIds = new Set(answers.map(({ approval }) => runOfApproval(approval?.id ?? '')));
  const [runId] = runIds;
  if (runId === undefined || runIds.size > 1)
    throw new InvalidInput('invalid_value', 'messages must answer an approval of this service.', {
      field: 'messages',
    });
  const run = await findRun(ports.records, caller, runId);
  if (run.workspaceId !== body.workspaceId)
    throw new InvalidInput('workspace_mismatch', 'workspaceId must be the workspace of the run.', {
      field: 'workspaceId',
    });
  return run;
}

/** Accepts an answer that isn't part of a chat message: over the API, or from a bot. */
export async function answerOverApi(
  ports: AgentPorts,
  caller: Caller,
  run: Run,
  approvalId: string,
  { always, ...answer }: { approved: boolean; reason?: string | undefined; always?: string | undefined },
): Promise<void> {
  const rule = always === undefined ? undefined : await ruleOf(ports, run, approvalId, { ...answer, always });
  await answerApproval(ports, run, caller, approvalId, answer);
  if (rule !== undefined) await addRule(ports, caller, run, approvalId, rule);
  if ((await openApprovals(ports, run.id)).length === 0) await callAgentWorker(ports, run.id);
}

/**
 * Adds the rule of an accepted answer, because the process that accepted it may have died before doing so. Idempotent.
 */
export async function addAlwaysOf(
  ports: AgentPorts,
  caller: Caller,
  run: Run,
  approvalId: string,
  always: string,
): Promise<void> {
  const rule = await ruleOf(ports, run, approvalId, { approved: true, always });
  await addRule(ports, caller, run, approvalId, rule);
}

async function addRule(
  ports: AgentPorts,
  caller: Caller,
  { workspaceId }: Run,
  approvalId: string,
  rule: Awaited<ReturnType<typeof ruleOf>>,
): Promise<void> {
  const about = `allow ${rule.tool}, answering ${approvalId}`;
  await audited(ports, caller, { action: 'permissions.always', workspaceId, about }, () =>
    addAlways(ports, caller, workspaceId, rule),
  );
}

/** Returns the rule that "always" adds; checked before the answer counts. Throws InvalidInput, Conflict. */
async function ruleOf(
  ports: AgentPorts,
  run: Run,
  approvalId: string,
  { approved, always }: { approved: boolean; always: string },
) {
  if (!approved)
    throw new InvalidInput('invalid_value', 'always can be sent only with approved: true.', {
      field: 'always',
    });
  const approval = await approvals.get(ports.records, { runId: run.id, id: approvalId });
  if (approval === undefined) throw new NotFound('approval_not_found', 'This approval does not exist.');
  const { toolName, subjects } = approval;
  const tool = ports.tools.find(({ name }) => name === toolName);
  const kind = patternKindOf(tool);
  const rule = { tool: toolName, pattern: always, kind, ruledAs: tool?.ruledAs };
  requireSeen(rule, subjects);
  await requireAddable(ports, run.workspaceId, rule);
  return { ...rule, answeredCall: subjects.join('; ').slice(0, MAX_CALL_SHOWN).toWellFormed() };
}
