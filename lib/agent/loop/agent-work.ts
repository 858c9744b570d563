import type { StreamPart } from '../../api-contract/stream-part.ts';
import { keyOf } from '../../conversations/schema.ts';
import { titleConversation } from '../../conversations/title.ts';
import { UpstreamFailed } from '../../errors.ts';
import type { Held } from '../../leases/hold.ts';
import type { FinishReason, LanguageModel } from '../../ports/language-model.ts';
import type { Objects } from '../../ports/objects.ts';
import { type AnswerSupport, citeAnswer } from '../../retrieval/cite/cite-answer.ts';
import { askForApproval, readDecisions } from '../../runs/approvals.ts';
import { requireRunRights } from '../../runs/rights.ts';
import { runUsage } from '../../runs/run-usage.ts';
import type { Run } from '../../runs/schema.ts';
import { hasMessages, takeMessages } from '../../runs/steer.ts';
import type { RunWork, WorkOutcome } from '../../runs/work-on-run.ts';
import { endingNotice, endingOf, finishReasonOf } from '../../ui-messages/answer-ending.ts';
import { notice } from '../../ui-messages/notice.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { effectsOfCall } from '../calls/effects.ts';
import { basisOfCall, judgeCall } from '../calls/judge-call.ts';
import { modelTools, toolsFor, withoutApprovals } from '../calls/modes.ts';
import type { AgentPorts } from '../ports.ts';
import { REMOTE_PREFIX } from '../tools/remote.ts';
import type { Tool } from '../tools/tool.ts';
import { keeperOf } from '../undo/keeper.ts';
import { keepFolder } from '../undo/kept-folders.ts';
import { storeChangeCounts } from '../undo/undo.ts';
import { type CallStops, callStops } from './call-stops.ts';
import { numberPassage, usedPassages } from './cited-passages.ts';
import { type AgentConversation, addUsage, citedIn } from './conversation.ts';
import { liveOutput } from './live-output.ts';
import { addSearch, tellOfSearches } from './searched.ts';
import { settlePending } from './settle-pending.ts';
import { type LoopOutcome, type LoopRun, runSteps } from './steps.ts';

/** An agent run with everything that its loop needs. */
export interface AgentJob {
  run: Run;
  workspace: Workspace;
  model: LanguageModel;
  conversation: AgentConversation;
  /** Notices sent before its first step. */
  notices?: StreamPart[];
  /** Milliseconds for which this process may work on the run. */
  timeLeftMs: number;
}

/**
 * In milliseconds. A long model call, with the longest tool after it, takes less. If less time is left
 * between two steps, another process continues.
 */
const HAND_OVER_MS = 10 * 60_000;

/** Returns the agent's work in its run. A resumed run first settles the calls for which it waited. */
export function agentWork(ports: AgentPorts, job: AgentJob): RunWork {
  const { run, conversation, timeLeftMs } = job;
  const kept = () => Buffer.from(JSON.stringify(conversation));
  const stops = callStops();
  return {
    ...{ run, timeLeftMs },
    steps: () => conversation.steps,
    failedCalls: () => conversation.failedCalls ?? 0,
    stopCalls: stops.stop,
    parts: (lease) => partsOf(ports, { ...job, stops }, lease),
    keep: () => ports.objects.put(conversationKey(run.id), kept()),
    forget: () => forgetConversation(ports, run.id),
    ...(run.mode === 'agent' && { storeChangeCounts: () => storeChangeCounts(ports, run, job.workspace) }),
    follow: () => titleRun(ports, job),
  };
}

async function* partsOf(
  ports: AgentPorts,
  job: AgentJob & { stops: CallStops },
  lease: Held,
): AsyncGenerator<StreamPart, WorkOutcome> {
  const { conversation, run } = job;
  const remote = await remoteToolsOf(ports, job, lease.signal);
  const loop = loopRun(ports, job, lease, remote.tools);
  if (conversation.steps === 0)
    yield { type: 'start', messageId: run.id, messageMetadata: { runId: run.id } };
  if (conversation.steps === 0) yield* job.notices ?? [];
  if (conversation.steps === 0) for (const text of remote.notices) yield notice('mcp-server', text);
  if (conversation.pending.length > 0) yield* settlePending(loop, await readDecisions(ports.records, run.id));
  const outcome = yield* citedSteps(ports, job, loop);
  if (outcome.kind === 'parked') return outcome;
  if (conversation.searched !== undefined) yield* tellOfSearches(conversation.searched);
  const metadata = yield* citeTexts(ports, job, lease.signal);
  yield* tellOfNoCalls(job, loop, outcome.reason);
  yield* endingNotice(endingOf(outcome.reason, citedIn(conversation).text));
  return { kind: 'finished', finish: finishPart(job, finishReasonOf(outcome.reason), metadata) };
}

const NO_CALLS =
  'The model called no tool, so nothing in the workspace was read or changed. Its answer is only text.';

/**
 * Yields a notice if the run made no calls, because without a call, an answer in words could look like
 * finished work. A run has a second step only after a call.
 */
function* tellOfNoCalls(
  { run, conversation }: AgentJob,
  { tools }: LoopRun,
  reason: FinishReason,
): Iterable<StreamPart> {
  const isWordsAlone = conversation.steps === 1 && reason !== 'tool-calls';
  if (run.mode !== 'agent' || tools.length === 0 || !isWordsAlone) return;
  if (citedIn(conversation).text.trim() !== '') yield notice('no-tool-calls', NO_CALLS);
}

/**
 * Runs the steps. A text that breaks off keeps its citations, but they aren't judged, because the judging
 * model is the one that just failed.
 */
async function* citedSteps(
  ports: AgentPorts,
  job: AgentJob,
  loop: LoopRun,
): AsyncGenerator<StreamPart, LoopOutcome> {
  try {
    return yield* runSteps(loop);
  } catch (error) {
    const { conversation } = job;
    if (error instanceof UpstreamFailed && citedIn(conversation).text !== '')
      yield* citeTexts(
        ports,
        { ...job, conversation: { ...conversation, judge: false } },
        loop.context.signal,
      );
    throw error;
  }
}

/** Adds the citations of the run's texts, as in a chat answer. They don't delay the texts. */
async function* citeTexts(
  ports: AgentPorts,
  { run, workspace, model, conversation }: AgentJob,
  signal: AbortSignal,
): AsyncGenerator<StreamPart, AnswerSupport['metadata']> {
  const cited = citedIn(conversation);
  const judge = conversation.judge === true ? model : undefined;
  const used = usedPassages(cited);
  const { entailment } = ports.searchFor?.(runUsage(run)) ?? {};
  const answer = {
    sources: workspace,
    text: cited.text,
    used,
    offered: cited.offered,
    judge,
    entailment,
    signal,
  };
  const { usage, metadata } = yield* citeAnswer(ports, answer);
  if (usage !== undefined) addUsage(conversation.usage, usage);
  const { support, passages } = metadata;
  // Without any source, the run did something other than answering from files.
  return { ...(support && support.sentences > 0 && { support }), ...(passages && { passages }) };
}

/** Checks approved tools again, because they may have changed. The modes plan and ask never get any. */
async function remoteToolsOf(
  ports: AgentPorts,
  { run, workspace, conversation }: AgentJob,
  signal: AbortSignal,
) {
  if (run.mode !== 'agent' || ports.remoteTools === undefined) return { tools: [], notices: [] };
  const fresh = conversation.pending.some(({ call }) => call.name.startsWith(REMOTE_PREFIX));
  return ports.remoteTools(workspace.id, { signal, fresh });
}

function loopRun(
  ports: AgentPorts,
  job: AgentJob & { stops: CallStops },
  { signal, requireHeld }: Held,
  remote: Tool[],
): LoopRun {
  const { run, workspace, model, conversation } = job;
  const every = [...ports.tools, ...remote];
  const all = run.unattended ? withoutApprovals(every) : every;
  const tools = toolsFor(all, run.mode, run.allowedTools);
  const until = ports.clock.now() + job.timeLeftMs;
  return {
    conversation,
    model,
    tools,
    modelTools: modelTools(tools),
    context: {
      ...{ runId: run.id, workspace, cwd: run.cwd, caller: run.caller, use: runUsage(run), approvedBy: null },
      ...{ records: ports.records, signal },
      keeper: keeperOf(ports.undo, workspace, run.id, (name) => keepFolder(ports, workspace.id, name)),
      searched: (told) => {
        conversation.searched = addSearch(conversation.searched ?? { notices: [], isNear: false }, told);
      },
      numberOf: (passage) => numberPassage(citedIn(conversation), passage),
    },
    live: liveOutput(),
    stops: job.stops,
    maxSteps: ports.maxSteps,
    requireRights: (role) => requireRunRights(ports, run, role),
    requireHeld,
    judge: (call) => judgeCall(ports, { run, workspace }, call),
    basisOf: (call, verdict) => basisOfCall({ run, workspace }, call, verdict),
    effectsOf: (call) => effectsOfCall(call, { rootPath: workspace.rootPath, cwd: run.cwd }),
    requestApproval: (call, question) =>
      askForApproval(ports, run, call, question, conversation.pending.length),
    takeMessages: () => takeMessages(ports.records, run.id),
    hasMessages: () => hasMessages(ports.records, run.id),
    shouldHandOver: () => until - ports.clock.now() < HAND_OVER_MS,
  };
}

/** Adds a title to the conversation that the run started. */
function titleRun(ports: AgentPorts, { run, model, conversation }: AgentJob): void {
  if (!ports.makesTitles || run.conversationId === null) return;
  const { messages } = conversation;
  const answer = messages.findLast(({ role, content }) => role === 'assistant' && content !== '');
  const key = keyOf(run.caller.id, run.conversationId);
  titleConversation(ports, model, { key }, { question: run.request, answer: answer?.content ?? '' });
}

function finishPart(
  { run, model, conversation }: AgentJob,
  finishReason: string,
  support: AnswerSupport['metadata'],
): Extract<StreamPart, { type: 'finish' }> {
  const { usage, steps } = conversation;
  const { unknown } = citedIn(conversation);
  const metadata = {
    ...{ runId: run.id, provider: model.provider, model: model.model, usage, steps },
    promptTokens: conversation.promptTokens ?? null,
    ...(unknown.length > 0 && { unknownCitations: unknown }),
    ...(conversation.memories && { memories: conversation.memories }),
    ...support,
  };
  return { type: 'finish', finishReason, messageMetadata: metadata };
}

export async function forgetConversation({ objects }: { objects: Objects }, runId: string): Promise<void> {
  await objects.delete(conversationKey(runId));
}

export function conversationKey(runId: string): string {
  return `runs/${runId}/conversation.json`;
}
