import { realpath, stat } from 'node:fs/promises';
import { type Caller, requireRole } from '../../access/caller.ts';
import { oneLine } from '../../activity/record.ts';
import { Conflict, InvalidInput, NotFound } from '../../errors.ts';
import { confine } from '../../paths/confine.ts';
import type { LanguageModel, ProviderId } from '../../ports/language-model.ts';
import { offeredSkills } from '../../skills/list.ts';
import type { ParamValues } from '../../skills/params.ts';
import { findSkill, prepareSkill } from '../../skills/run.ts';
import { StreamCut } from '../../ui-messages/stream-part.ts';
import { joinText, type MessagePart, type UiMessage } from '../../ui-messages/ui-message.ts';
import { findWorkspace } from '../../workspaces/access.ts';
import { followRun } from '../frames/follow-run.ts';
import { lastFrame } from '../frames/record-frames.ts';
import { systemWishes, toModelMessages } from '../loop/model-messages.ts';
import { agentPrompt } from '../loop/prompt.ts';
import type { Conversation } from '../loop/steps.ts';
import type { AgentBody } from '../request-schema.ts';
import {
  answerApproval,
  approvalsOf,
  continueRun,
  findRun,
  openApprovals,
  runOfApproval,
} from '../run/approvals.ts';
import { claimRun, createRun, type NewRun, stopRun } from '../run/runs.ts';
import { conversationKey, type Drive, type DrivePorts, driveRun, failRun } from '../run/work-on-run.ts';
import { isOver, type Mode, type Run, runs } from '../schema.ts';
import { toolsFor } from '../tools/modes.ts';

const MAX_REQUEST_CHARACTERS = 100_000;
const MAX_REQUEST_SHOWN = 200;

export interface StartPorts extends DrivePorts {
  /** Throws NotConfigured when that provider, or any, is not. */
  openModel(choice?: { provider: ProviderId; model: string }): LanguageModel;
}

export interface Started {
  run: Run;
  /** The number of the frame before the first that this request brings about. */
  after: number;
  /** Resolves when this process works on the run no more. */
  working: Promise<void>;
}

/**
 * Begins a run, or goes on with the one that the last message answers an approval of. Everything that can be refused is
 * refused here; the work itself goes on by itself, whether or not anybody listens.
 */
export async function startAgent(
  ports: StartPorts,
  caller: Caller,
  body: AgentBody,
  timeLeftMs: number,
): Promise<Started> {
  const answers = approvalAnswers(body.messages.at(-1));
  return answers.length > 0
    ? answerAndContinue(ports, caller, body, answers, timeLeftMs)
    : beginRun(ports, caller, body, timeLeftMs);
}

/**
 * Begins the run with this id, once: undefined when it has begun before. For a caller that keeps the id first, and after
 * a crash does not know how far it came.
 */
export async function startOnce(
  ports: StartPorts,
  caller: Caller,
  id: string,
  body: AgentBody,
  timeLeftMs: number,
): Promise<Started | undefined> {
  const hasBegun = async () => (await runs.get(ports.records, { id })) !== undefined;
  if (await hasBegun()) return undefined;
  try {
    return await beginRun(ports, caller, body, timeLeftMs, { id });
  } catch (error) {
    if (error instanceof Conflict && (await hasBegun())) return undefined; // by another, just now
    throw error;
  }
}

async function beginRun(
  ports: StartPorts,
  caller: Caller,
  body: AgentBody,
  timeLeftMs: number,
  fields: Pick<NewRun, 'id' | 'unattended'> = {},
): Promise<Started> {
  const { mode, provider, model: name, skillId, paramValues, messages } = body;
  if (mode === 'agent') requireRole(caller, 'member');
  checkRequest(messages.at(-1));
  const workspace = await findWorkspace(ports.records, caller, body.workspaceId);
  const cwd = await confineCwd(workspace.rootPath, body.cwd);
  const skill =
    skillId === undefined ? undefined : await findSkill(ports.records, caller, workspace.id, skillId);
  const prepared = skill && prepareSkill(skill, paramValues);
  const model = ports.openModel(provider && name ? { provider, model: name } : undefined);
  const allowedTools = prepared?.allowedTools ?? null;
  const tools = toolsFor(ports.tools, mode, allowedTools);
  const system = agentPrompt({
    mode,
    workspace,
    cwd,
    tools,
    skill: prepared?.prompt,
    offered: tools.some(({ name }) => name === 'getSkill')
      ? await offeredSkills(ports.records, workspace.id)
      : [],
    wishes: systemWishes(messages),
  });
  const run = await createRun(ports, {
    workspaceId: workspace.id,
    mode,
    caller,
    cwd,
    provider: model.provider,
    model: model.model,
    allowedTools,
    ...fields,
    request: oneLine(joinText(messages.at(-1)?.parts ?? []), MAX_REQUEST_SHOWN),
  });
  const conversation = newConversation(system, messages);
  const working = driveRun(ports, { run, workspace, model, conversation, timeLeftMs });
  return { run, after: 0, working };
}

function checkRequest(last: UiMessage | undefined): void {
  if (last?.role !== 'user') throw new InvalidInput('messages: the last message must be of the user');
  const text = joinText(last.parts);
  if (text.trim() === '') throw new InvalidInput('messages: the last message has no text');
  if (text.length > MAX_REQUEST_CHARACTERS)
    throw new InvalidInput(`messages: the last message is longer than ${MAX_REQUEST_CHARACTERS} characters`);
}

function newConversation(system: string, messages: UiMessage[]): Conversation {
  return {
    system,
    messages: toModelMessages(messages),
    usage: { inputTokens: null, outputTokens: null },
    steps: 0,
    pending: [],
    repeated: { call: '', times: 0 },
  };
}

/** Relative to the workspace, whichever way it came. Throws InvalidInput unless it is a directory of the workspace. */
async function confineCwd(rootPath: string, cwd: string): Promise<string> {
  try {
    const root = await realpath(rootPath);
    const above = [root, rootPath].find((place) => `${cwd}/`.startsWith(`${place}/`));
    const place = await confine(root, above === undefined ? cwd : cwd.slice(above.length + 1));
    const found = await stat(place).catch(() => undefined);
    if (!found?.isDirectory()) throw new InvalidInput('cwd: no such directory in the workspace');
    return place.slice(root.length + 1);
  } catch (error) {
    if (error instanceof InvalidInput || error instanceof NotFound)
      throw new InvalidInput(error.message.replace(/^path/, 'cwd'));
    throw error;
  }
}

/** The answers to approvals that a message of the client carries. */
function approvalAnswers(message: UiMessage | undefined): MessagePart[] {
  if (message?.role !== 'assistant') return [];
  return message.parts.filter(
    ({ state, approval }) => state === 'approval-responded' && approval?.approved !== undefined,
  );
}

/** The conversation is the one that the service kept, not the one that the client sends along. */
async function answerAndContinue(
  ports: StartPorts,
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
  const drive = await takeUp(ports, run.id, timeLeftMs);
  const working = drive === undefined ? Promise.resolve() : driveRun(ports, drive);
  return { run: drive?.run ?? run, after, working };
}

/** A message holds the run's earlier answers as well, when the client missed what came of them. All old: a replay. */
async function newAnswers(
  { records }: StartPorts,
  runId: string,
  answers: MessagePart[],
): Promise<MessagePart[]> {
  const known = new Map((await approvalsOf(records, runId)).map(({ id, status }) => [id, status]));
  const fresh = answers.filter(({ approval }) => known.get(approval?.id ?? '') === 'waiting');
  return fresh.length > 0 ? fresh : answers;
}

async function findAnsweredRun(
  ports: StartPorts,
  caller: Caller,
  body: AgentBody,
  answers: MessagePart[],
): Promise<Run> {
  const runIds = new Set(answers.map(({ approval }) => runOfApproval(approval?.id ?? '')));
  const [runId] = runIds;
  if (runId === undefined || runIds.size > 1)
    throw new InvalidInput('messages: not an approval of this service');
  const run = await findRun(ports.records, runId);
  await findWorkspace(ports.records, caller, run.workspaceId);
  if (run.workspaceId !== body.workspaceId)
    throw new InvalidInput('workspaceId: the run is of another workspace');
  return run;
}

/** A parked run with all that is needed to go on with it; undefined when it is somebody else's, over, or still waits. */
async function takeUp(ports: StartPorts, runId: string, timeLeftMs: number): Promise<Drive | undefined> {
  // Before the rest: when another has worked on it meanwhile, what is read here is old, and the claim fails.
  const parked = await runs.get(ports.records, { id: runId });
  if (!parked?.parked || (await openApprovals(ports, runId)).length > 0) return undefined;
  const bytes = await ports.objects.getBytes(conversationKey(runId));
  const run = await claimRun(ports, parked);
  if (run === undefined) return undefined;
  try {
    const workspace = await findWorkspace(ports.records, run.caller, run.workspaceId);
    return { run, workspace, conversation: readConversation(bytes), timeLeftMs, model: ports.openModel(run) };
  } catch (error) {
    await failRun(ports, run, run.steps, error);
    return undefined;
  }
}

/** One that is gone ends its run: left parked, it would be tried again for ever. */
function readConversation(bytes: Uint8Array | undefined): Conversation {
  if (bytes === undefined) throw new NotFound('the conversation of the run is gone');
  return JSON.parse(Buffer.from(bytes).toString()) as Conversation;
}

/** For the worker: goes on with a parked run to its next stop. */
export async function continueParked(ports: StartPorts, runId: string, timeLeftMs: number): Promise<void> {
  const drive = await takeUp(ports, runId, timeLeftMs);
  if (drive !== undefined) await driveRun(ports, drive);
}

/** The answer that a person gave by itself, over the API. */
export async function answerOverApi(
  ports: StartPorts,
  caller: Caller,
  run: Run,
  approvalId: string,
  answer: { approved: boolean; reason?: string | undefined },
): Promise<void> {
  await answerApproval(ports, run, caller, approvalId, answer);
  if ((await openApprovals(ports, run.id)).length === 0) await continueRun(ports, run.id);
}

export interface Errand {
  workspaceId: string;
  mode: Mode;
  prompt: string;
  skillId?: string | undefined;
  params?: ParamValues | undefined;
}

/**
 * A run that nobody watches, to its end: what it said last, and how it ended. A call that needs an approval is refused. When
 * the signal is aborted the run is stopped. It may outlive this process, when that is ended.
 */
export async function runToEnd(
  ports: StartPorts,
  caller: Caller,
  { workspaceId, mode, prompt, skillId, params }: Errand,
  { timeLeftMs, signal }: { timeLeftMs: number; signal: AbortSignal },
): Promise<{ run: Run; text: string }> {
  const messages: UiMessage[] = [{ role: 'user', parts: [{ type: 'text', text: prompt }] }];
  const body = { messages, workspaceId, cwd: '', mode, skillId, paramValues: params };
  const { run } = await beginRun(ports, caller, body, timeLeftMs, { unattended: true });
  const text = await lastText(ports, run, { timeLeftMs, signal });
  const ended = await findRun(ports.records, run.id);
  if (!isOver(ended.status)) await stopRun(ports, ended);
  return { run: ended, text };
}

/** What was said in the last step that said anything; what there is of it when the run does not end in time. */
async function lastText(
  ports: StartPorts,
  { id }: Run,
  { timeLeftMs, signal }: { timeLeftMs: number; signal: AbortSignal },
): Promise<string> {
  let text = '';
  let begun = false;
  try {
    for await (const part of followRun(ports, id, { after: 0, untilParked: false, signal, timeLeftMs })) {
      if (part.type === 'start-step') begun = true;
      if (part.type !== 'text-delta') continue;
      text = begun ? part.delta : text + part.delta;
      begun = false;
    }
  } catch (error) {
    if (!(error instanceof StreamCut)) throw error;
  }
  return text;
}
