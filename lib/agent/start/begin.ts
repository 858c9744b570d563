import { realpath, stat } from 'node:fs/promises';
import { type Caller, requireRole } from '../../access/caller.ts';
import { oneLine } from '../../activity/record.ts';
import { ATTACHMENT_ERRORS } from '../../conversations/attachments/attach.ts';
import { KEEP_ATTACHMENT_ERRORS, keepAttachments } from '../../conversations/attachments/keep.ts';
import { keptPart } from '../../conversations/attachments/schema.ts';
import { ATTACHMENT_RULE, attachmentNotices } from '../../conversations/attachments/show.ts';
import type { Conversation as KeptConversation, Message } from '../../conversations/schema.ts';
import { keepRequest, RUN_REQUEST_ERRORS } from '../../conversations/turn/keep-run.ts';
import type { ErrorCode } from '../../error-codes.ts';
import { Conflict, InvalidInput, inField, NotFound } from '../../errors.ts';
import { newId } from '../../identifiers.ts';
import {
  chooseFacts,
  FACTS_RULE,
  type FactReaders,
  factTokens,
  findKnownFacts,
  showFacts,
} from '../../memories/prompt-facts.ts';
import { confine } from '../../paths/confine.ts';
import {
  type LanguageModel,
  MODEL_ADMISSION_ERRORS,
  type ModelAttachment,
} from '../../ports/language-model.ts';
import { requireIdle } from '../../runs/require-idle.ts';
import { runUsage } from '../../runs/run-usage.ts';
import { createRun, type NewRun } from '../../runs/runs.ts';
import { type Run, runs } from '../../runs/schema.ts';
import { workOnRun } from '../../runs/work-on-run.ts';
import { offeredSkills } from '../../skills/list.ts';
import { findSkill, prepareSkill, USE_SKILL_ERRORS } from '../../skills/run.ts';
import { isJudged } from '../../support/judge-setting.ts';
import { promptRoom } from '../../support/prompt-room.ts';
import { randomTag } from '../../text/random-tag.ts';
import { joinText, type MessagePart, type UiMessage } from '../../ui-messages/ui-message.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { toolsFor } from '../calls/modes.ts';
import { agentWork } from '../loop/agent-work.ts';
import type { AgentConversation } from '../loop/conversation.ts';
import { systemWishes, toModelMessages } from '../loop/model-messages.ts';
import { agentPrompt } from '../loop/prompt.ts';
import type { AgentPorts } from '../ports.ts';
import type { AgentBody } from '../request-schema.ts';
import type { Tool } from '../tools/tool.ts';
import { type AttachedFiles, attachToRun, showAttachments } from './attach-files.ts';

/** The error codes of a run that can't start, in addition to PATH_ERRORS for `cwd`. */
export const BEGIN_RUN_ERRORS = [
  ...ATTACHMENT_ERRORS,
  ...KEEP_ATTACHMENT_ERRORS,
  ...MODEL_ADMISSION_ERRORS,
  ...RUN_REQUEST_ERRORS,
  ...USE_SKILL_ERRORS,
  'run_already_started',
  'run_in_progress',
] as const satisfies ErrorCode[];

export interface Started {
  run: Run;
  /** The number of the last event before those that this request causes. */
  after: number;
  /** Resolves when this process no longer works on the run. */
  working: Promise<void>;
}

/** The body without its workspace, which has already been found for the caller. */
export type RunRequest = Omit<AgentBody, 'workspaceId'>;

const MAX_REQUEST_CHARACTERS = 100_000;
const MAX_REQUEST_SHOWN = 200;
/** Calls before the start of a run have time limits of their own. */
const NEVER = new AbortController().signal;

/**
 * Starts the run with this ID, unless it has already been started; undefined in that case. For callers that
 * store the ID first, and can't know after a crash whether they started the run.
 */
export async function beginOnce(
  ports: AgentPorts,
  caller: Caller,
  id: string,
  workspace: Workspace,
  body: RunRequest,
  timeLeftMs: number,
  fields: Pick<NewRun, 'conversationId'> & { isInGroup?: boolean } = {},
): Promise<Started | undefined> {
  const hasBegun = async () => (await runs.get(ports.records, { id })) !== undefined;
  if (await hasBegun()) return undefined;
  try {
    return await beginRun(ports, caller, workspace, body, timeLeftMs, { ...fields, id });
  } catch (error) {
    // Another process has just started it.
    if (error instanceof Conflict && (await hasBegun())) return undefined;
    throw error;
  }
}

interface BeginFields extends Pick<NewRun, 'id' | 'unattended' | 'permits' | 'rightsOf' | 'conversationId'> {
  /** True if a group chat reads the answer. */
  isInGroup?: boolean;
}

/** Starts a run. All refusals happen here; the work continues in the background. */
export async function beginRun(
  ports: AgentPorts,
  caller: Caller,
  workspace: Workspace,
  body: RunRequest,
  timeLeftMs: number,
  { isInGroup = false, ...fields }: BeginFields = {},
): Promise<Started> {
  const { mode, provider, model: name, messages } = body;
  checkRequest(caller, body);
  const cwd = await confineCwd(workspace.rootPath, body.cwd);
  const skill = await chosenSkill(ports, caller, workspace, body);
  const use = runUsage({ caller, rightsOf: fields.rightsOf, workspaceId: workspace.id });
  const model = ports.openModel(use, provider && name ? { provider, model: name } : undefined);
  await model.admit?.();
  const attached = await attachToRun(ports, caller, workspace, body);
  const allowedTools = skill?.allowedTools ?? null;
  const system = await systemPrompt(ports, workspace, body, {
    cwd,
    tools: toolsFor(await toolsIn(ports, workspace.id, mode), mode, allowedTools),
    skill: skill?.prompt,
  });
  const id = fields.id ?? newId();
  const isKept = use.kind === 'agent' && (!fields.unattended || body.id !== undefined);
  const kept = isKept
    ? await keepRequestOf(ports, caller, workspace, { ...body, id: body.id ?? id, runId: id }, attached)
    : undefined;
  const run = await createRun(ports, {
    workspaceId: workspace.id,
    mode,
    caller,
    cwd,
    allowedTools,
    provider: model.provider,
    model: model.model,
    ...fields,
    id,
    ...kept?.place,
    request: oneLine(joinText(messages.at(-1)?.parts ?? []), MAX_REQUEST_SHOWN),
  });
  const judge = isJudged(body.judge, workspace, ports);
  const known = withHistory(messages, kept?.history);
  const shown = await showAttachments(ports, attached, known, model);
  // Everyone in the workspace can read a run, and a task's answer becomes a note.
  const own: FactReaders['own'] = fields.unattended || isInGroup ? 'none' : 'shared';
  const asked = { callerId: caller.id, workspaces: [workspace], own };
  const conversation = await withFacts(ports, model, asked, {
    ...newConversation(system, known, shown),
    judge,
  });
  const notices = [...attachmentNotices(attached.latest, model)];
  const job = { run, workspace, model, conversation, notices, timeLeftMs };
  const working = workOnRun(ports, agentWork(ports, job));
  return { run, after: 0, working };
}

/** Returns the skill that the request names, with its parameters filled in. */
async function chosenSkill(
  { records }: AgentPorts,
  caller: Caller,
  workspace: Workspace,
  { skillId, paramValues }: RunRequest,
) {
  if (skillId === undefined) return undefined;
  return prepareSkill(await findSkill(records, caller, workspace.id, skillId), paramValues);
}

/** Adds the tools of remote servers, except in plan and ask. */
async function toolsIn(ports: AgentPorts, workspaceId: string, mode: RunRequest['mode']): Promise<Tool[]> {
  if (mode !== 'agent' || ports.remoteTools === undefined) return ports.tools;
  const { tools } = await ports.remoteTools(workspaceId, { signal: NEVER });
  return [...ports.tools, ...tools];
}

async function systemPrompt(
  { records }: AgentPorts,
  workspace: Workspace,
  { mode, messages }: RunRequest,
  given: { cwd: string; tools: Tool[]; skill: string | undefined },
): Promise<string> {
  const offersSkills = given.tools.some(({ name }) => name === 'getSkill');
  const offered = offersSkills ? await offeredSkills(records, workspace.id) : [];
  return agentPrompt({ ...given, mode, workspace, offered, wishes: systemWishes(messages) });
}

/**
 * Stores the request in the client's conversation, or in a new one. An unattended run has a conversation only
 * if it names one.
 */
async function keepRequestOf(
  ports: AgentPorts,
  caller: Caller,
  workspace: Workspace,
  { id, mode, messages, runId, parentId }: RunRequest & { id: string; runId: string },
  { latest }: AttachedFiles,
) {
  const last = messages.at(-1);
  const keptFiles = latest.map((attachment) => keptPart(id, attachment));
  const request = { id: last?.id, text: joinText(last?.parts ?? []), keptFiles, parentId };
  const keepFirst = (conversation: KeptConversation) => keepAttachments(ports, conversation, latest);
  const place = { workspaceId: workspace.id, id, kind: 'agent' as const, mode, runId };
  const {
    conversationId,
    place: requestPlace,
    history,
  } = await keepRequest(ports, caller, place, request, {
    keepFirst,
    requireIdle: (conversation) => requireIdle(ports, conversation),
  });
  return { place: { conversationId, requestPlace }, history };
}

/** The number of earlier messages to read for the model. Those that don't fit its window are omitted. */
const MAX_HISTORY = 60;

/** Returns the request after the stored messages, or after the client's own if the conversation is new. */
function withHistory(messages: UiMessage[], history: Message[] | undefined): UiMessage[] {
  if (history === undefined) return messages;
  const earlier = history
    .slice(-MAX_HISTORY)
    .map(({ role, parts }) => ({ role, parts: parts as MessagePart[] }));
  return [...earlier, ...messages.slice(-1)];
}

/** Checks everything that doesn't depend on the workspace. Throws Forbidden, InvalidInput. */
export function checkRequest(caller: Caller, { mode, messages }: RunRequest): void {
  if (mode === 'agent') requireRole(caller, 'member');
  const last = messages.at(-1);
  if (last?.role !== 'user')
    throw new InvalidInput('invalid_value', 'messages must end with a message of the user.', {
      field: 'messages',
    });
  const text = joinText(last.parts);
  if (text.trim() === '')
    throw new InvalidInput('invalid_value', 'messages must end with a message that has text.', {
      field: 'messages',
    });
  if (text.length > MAX_REQUEST_CHARACTERS)
    throw new InvalidInput(
      'invalid_value',
      `messages must end with a message of at most ${MAX_REQUEST_CHARACTERS} characters.`,
      { field: 'messages' },
    );
}

function newConversation(
  system: string,
  messages: UiMessage[],
  attachments: ModelAttachment[][],
): AgentConversation {
  const hasAny = attachments.some((attached) => attached.length > 0);
  return {
    system: hasAny ? `${system}\n\n${ATTACHMENT_RULE}` : system,
    messages: toModelMessages(messages, attachments),
    usage: { inputTokens: null, outputTokens: null },
    steps: 0,
    pending: [],
    repeated: { call: '', times: 0 },
  };
}

/** Adds facts to the request, which follows the system prompt and the tools, so that those stay in a server's cache. */
async function withFacts(
  { records }: AgentPorts,
  model: LanguageModel,
  readers: FactReaders,
  conversation: AgentConversation,
): Promise<AgentConversation> {
  const known = await findKnownFacts(records, readers);
  const request = conversation.messages.at(-1);
  if (known.length === 0 || request?.role !== 'user') return conversation;
  const { facts, used } = chooseFacts(known, factTokens(await promptRoom(model)));
  if (facts.length === 0) return { ...conversation, memories: used };
  const content = `${showFacts(facts, randomTag())}\n\n${request.content}`;
  return {
    ...conversation,
    system: `${conversation.system}\n\n${FACTS_RULE}`,
    messages: [...conversation.messages.slice(0, -1), { ...request, content }],
    memories: used,
  };
}

function notADirectory(): InvalidInput {
  return new InvalidInput('not_a_directory', "cwd isn't a directory of the workspace.", { field: 'cwd' });
}

/** Returns a path relative to the workspace. Throws InvalidInput unless it's a directory of the workspace. */
async function confineCwd(rootPath: string, cwd: string): Promise<string> {
  try {
    const root = await realpath(rootPath);
    const above = [root, rootPath].find((place) => `${cwd}/`.startsWith(`${place}/`));
    const place = await confine(root, above === undefined ? cwd : cwd.slice(above.length + 1));
    const found = await stat(place).catch(() => undefined);
    if (!found?.isDirectory()) throw notADirectory();
    return place.slice(root.length + 1);
  } catch (error) {
    if (error instanceof NotFound) throw notADirectory();
    return inField('cwd')(error);
  }
}
