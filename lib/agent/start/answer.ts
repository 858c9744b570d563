import { type Caller, requireRole } from '../../access/caller.ts';
import { audited } from '../../audit/record.ts';
import { InvalidInput, NotFound } from '../../errors.ts';
import { requireSeen, suggestPattern } from '../../permissions/always.ts';
import type { Grant } from '../../permissions/schema.ts';
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
import { type AnswerBody, type Approval, approvals, type Run } from '../../runs/schema.ts';
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
 * If the client missed results, a message also contains earlier answers. If all answers are old, the message
 * is a replay.
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
  body: AnswerBody,
): Promise<void> {
  const { approved, reason } = body;
  const scope = scopeOf(body);
  const rule = scope === 'always' ? await ruleOf(ports, run, approvalId, body) : undefined;
  const grant = scope === 'run' ? await grantOf(ports, run, approvalId, body) : undefined;
  await answerApproval(ports, run, caller, approvalId, { approved, reason, grant });
  if (rule !== undefined) await addRule(ports, caller, run, approvalId, rule);
  if ((await openApprovals(ports, run.id)).length === 0) await callAgentWorker(ports, run.id);
}

/** Throws InvalidInput for a scope that the other fields contradict. */
function scopeOf({ approved, always, scope = always === undefined ? 'once' : 'always' }: AnswerBody) {
  if (scope === 'once' && always !== undefined)
    throw invalid('scope must be run or always if always is sent.');
  if (scope === 'once' || approved) return scope;
  throw invalid(
    `${always === undefined ? 'scope' : 'always'} can be sent only with approved: true.`,
    always === undefined ? 'scope' : 'always',
  );
}

function invalid(message: string, field = 'scope'): InvalidInput {
  return new InvalidInput('invalid_value', message, { field });
}

/**
 * Adds the rule of an accepted answer. The process that accepted it may have died before adding the rule.
 * Idempotent.
 */
export async function addAlwaysOf(
  ports: AgentPorts,
  caller: Caller,
  run: Run,
  approvalId: string,
  always: string,
): Promise<void> {
  const rule = await ruleOf(ports, run, approvalId, { always });
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
  { always }: Pick<AnswerBody, 'always'>,
) {
  if (always === undefined) throw invalid('always must be the pattern of the rule.', 'always');
  const approval = await findApproval(ports, run, approvalId);
  const rule = patternFor(ports, approval, always);
  await requireAddable(ports, run.workspaceId, rule);
  return { ...rule, answeredCall: approval.subjects.join('; ').slice(0, MAX_CALL_SHOWN).toWellFormed() };
}

/** Returns the calls to allow in this run. Checks the pattern like that of a rule. Throws InvalidInput. */
async function grantOf(
  ports: AgentPorts,
  run: Run,
  approvalId: string,
  { always }: Pick<AnswerBody, 'always'>,
): Promise<Grant> {
  const approval = await findApproval(ports, run, approvalId);
  const offered = always ?? suggestPattern(approval) ?? undefined;
  if (offered === undefined)
    throw new InvalidInput(
      'always_not_allowed',
      "scope can't be run: no pattern says exactly this call, so it needs approval every time.",
      { field: 'scope' },
    );
  const { tool, pattern } = patternFor(ports, approval, offered);
  return { tool, pattern };
}

async function findApproval({ records }: AgentPorts, run: Run, id: string): Promise<Approval> {
  const approval = await approvals.get(records, { runId: run.id, id });
  if (approval === undefined) throw new NotFound('approval_not_found', 'This approval does not exist.');
  return approval;
}

/** Returns what a person may allow besides the call. Throws InvalidInput unless they were asked about it. */
function patternFor({ tools }: AgentPorts, { toolName, subjects }: Approval, pattern: string) {
  const tool = tools.find(({ name }) => name === toolName);
  const allowed = { tool: toolName, pattern, kind: patternKindOf(tool), ruledAs: tool?.ruledAs };
  requireSeen(allowed, subjects);
  return allowed;
}
