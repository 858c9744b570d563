import { keyOf } from '../../conversations/schema.ts';
import { titleConversation } from '../../conversations/title.ts';
import { ServiceError } from '../../errors.ts';
import { FramesTaken, lastFrame, openRecorder, type Recorder } from '../../frames/record-frames.ts';
import { log } from '../../log.ts';
import type { LanguageModel } from '../../ports/language-model.ts';
import type { Objects } from '../../ports/objects.ts';
import { notice } from '../../ui-messages/notice.ts';
import type { StreamPart } from '../../ui-messages/stream-part.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { type Conversation, type LoopRun, type Outcome, runSteps, settlePending } from '../loop/steps.ts';
import type { AgentPorts } from '../ports.ts';
import type { Run } from '../schema.ts';
import { judgeCall } from '../tools/judge-call.ts';
import { modelTools, toolsFor, withoutApprovals } from '../tools/modes.ts';
import { REMOTE_PREFIX } from '../tools/remote.ts';
import type { Tool } from '../tools/tool.ts';
import { useOf } from '../use.ts';
import { askForApproval, callWorker, openApprovals, readDecisions } from './approvals.ts';
import { type KeptLease, keepLease, RunStopped, RunTimeUp } from './keep-lease.ts';
import { requireRunRights } from './rights.ts';
import { finishRun, type RunEnd } from './runs.ts';
import { parkRun, stoppedParts } from './stop.ts';

export interface RunWork {
  run: Run;
  workspace: Workspace;
  model: LanguageModel;
  conversation: Conversation;
  /** Said before its first step. */
  notices?: StreamPart[];
  /** Milliseconds that this process may work on it. */
  timeLeftMs: number;
}

/** A long answer of the model and the longest tool after it: between two steps another process goes on when less is left. */
const HAND_OVER_MS = 10 * 60_000;
/** Left for the last frames and the record; followers in the same function hear of them in time. */
const RESERVE_MS = 30_000;

/**
 * Works on a run until it is over or waits for something, and leaves its record true. Never throws: whatever happens is the
 * run's end. On a run that waited, first settles the calls that it waited with.
 */
export async function workOnRun(ports: AgentPorts, work: RunWork): Promise<void> {
  const { run, conversation } = work;
  const lease = keepLease(ports, run, work.timeLeftMs - RESERVE_MS, () => conversation.steps);
  try {
    const recorder = openRecorder(ports, run.id, await lastFrame(ports.records, run.id));
    try {
      await lease.ready;
      const outcome = await record(recorder, partsOf(ports, work, lease));
      await settle(ports, work, recorder, { outcome, lease });
    } catch (error) {
      await endBadly(ports, work, recorder, lease.signal.aborted ? lease.signal.reason : error);
    }
  } catch (error) {
    log.error('a run could not be worked on', { runId: run.id }, error);
  } finally {
    lease.end();
  }
}

async function record<Result>(
  recorder: Recorder,
  parts: AsyncGenerator<StreamPart, Result>,
): Promise<Result> {
  for (;;) {
    const { done, value } = await parts.next();
    if (done) return value;
    try {
      recorder.write(value);
    } catch (error) {
      await parts.throw(error); // lets go of the model's stream
      throw error;
    }
  }
}

async function* partsOf(
  ports: AgentPorts,
  work: RunWork,
  lease: KeptLease,
): AsyncGenerator<StreamPart, Outcome> {
  const { conversation, run } = work;
  if (run.stopRequested) throw new RunStopped(true);
  const remote = await remoteToolsOf(ports, work, lease.signal);
  const loop = loopRun(ports, work, lease, remote.tools);
  if (conversation.steps === 0)
    yield { type: 'start', messageId: run.id, messageMetadata: { runId: run.id } };
  if (conversation.steps === 0) yield* work.notices ?? [];
  if (conversation.steps === 0) for (const text of remote.notices) yield notice('mcp-server', text);
  if (conversation.pending.length > 0) yield* settlePending(loop, await readDecisions(ports.records, run.id));
  return yield* runSteps(loop);
}

/** What a person approved is looked at anew: it may not be what it was. Plan and ask never get any. */
async function remoteToolsOf(
  ports: AgentPorts,
  { run, workspace, conversation }: RunWork,
  signal: AbortSignal,
) {
  if (run.mode !== 'agent' || ports.remoteTools === undefined) return { tools: [], notices: [] };
  const fresh = conversation.pending.some(({ call }) => call.name.startsWith(REMOTE_PREFIX));
  return ports.remoteTools(workspace.id, { signal, fresh });
}

function loopRun(
  ports: AgentPorts,
  work: RunWork,
  { signal, requireHeld }: KeptLease,
  remote: Tool[],
): LoopRun {
  const { run, workspace, model, conversation } = work;
  const every = [...ports.tools, ...remote];
  const all = run.unattended ? withoutApprovals(every) : every;
  const tools = toolsFor(all, run.mode, run.allowedTools);
  const until = ports.clock.now() + work.timeLeftMs;
  return {
    conversation,
    model,
    tools,
    modelTools: modelTools(tools),
    context: {
      ...{ runId: run.id, workspace, cwd: run.cwd, caller: run.caller, use: useOf(run), approvedBy: null },
      ...{ records: ports.records, signal },
    },
    maxSteps: ports.maxSteps,
    requireRights: () => requireRunRights(ports, run),
    requireHeld,
    judge: (call) => judgeCall(ports, { run, workspace }, call),
    requestApproval: (call, question) => askForApproval(ports, run, call, question),
    shouldHandOver: () => until - ports.clock.now() < HAND_OVER_MS,
  };
}

async function settle(
  ports: AgentPorts,
  work: RunWork,
  recorder: Recorder,
  { outcome, lease }: { outcome: Outcome; lease: KeptLease },
): Promise<void> {
  const { run, conversation } = work;
  if (outcome.kind === 'parked') return park(ports, work, recorder, { waiting: outcome.waiting, lease });
  recorder.write(finishPart(work, outcome.reason));
  await recorder.flush();
  await end(ports, work, { status: 'done', error: null, steps: conversation.steps });
  titleRun(ports, work);
  log.info('a run is done', { runId: run.id, steps: conversation.steps });
}

/** Of the conversation that the run began. */
function titleRun(ports: AgentPorts, { run, model, conversation }: RunWork): void {
  if (!ports.makesTitles || run.conversationId === null) return;
  const { messages } = conversation;
  const answer = messages.findLast(({ role, content }) => role === 'assistant' && content !== '');
  const key = keyOf(run.caller.id, run.conversationId);
  titleConversation(ports, model, { key }, { question: run.request, answer: answer?.content ?? '' });
}

function finishPart({ run, model, conversation }: RunWork, finishReason: string): StreamPart {
  const { usage, steps } = conversation;
  const metadata = { runId: run.id, provider: model.provider, model: model.model, usage, steps };
  return { type: 'finish', finishReason, messageMetadata: metadata };
}

/** The conversation first: whoever goes on with the run finds it. An answer may come at any time, so they are looked at last. */
async function park(
  ports: AgentPorts,
  work: RunWork,
  recorder: Recorder,
  { waiting, lease }: { waiting: boolean; lease: KeptLease },
): Promise<void> {
  const { run, conversation } = work;
  await recorder.flush();
  await ports.objects.put(conversationKey(run.id), Buffer.from(JSON.stringify(conversation)));
  lease.requireHeld();
  lease.letGo();
  await parkRun(ports, run, { waiting, steps: conversation.steps });
  try {
    if ((await openApprovals(ports, run.id)).length === 0) await callWorker(ports, run.id);
  } catch (error) {
    // The run is not ours any more, so it must not end here: the tick calls for a worker.
    log.warn('nobody was told of a parked run', { runId: run.id, reason: String(error) });
  }
}

/** Ends a run that was taken over but cannot be worked on. */
export async function failRun(ports: AgentPorts, run: Run, steps: number, error: unknown): Promise<void> {
  const recorder = openRecorder(ports, run.id, await lastFrame(ports.records, run.id));
  await endBadly(ports, { run, conversation: { steps } }, recorder, error);
}

type Ending = Pick<RunWork, 'run'> & { conversation: Pick<Conversation, 'steps'> };

/** The last frames say why; when even they cannot be written, the tick finds the run dead. */
async function endBadly(ports: AgentPorts, work: Ending, recorder: Recorder, error: unknown): Promise<void> {
  const { run, conversation } = work;
  if (error instanceof FramesTaken || (error instanceof RunStopped && !error.byPerson)) {
    log.warn('a run was left to another process', { runId: run.id });
    return;
  }
  const { parts, ...fields } = badEnd(run, error);
  try {
    for (const part of parts) recorder.write(part);
    await recorder.flush();
    await end(ports, work, { ...fields, steps: conversation.steps });
  } catch (failure) {
    log.error('the end of a run could not be kept', { runId: run.id }, failure);
  }
}

function badEnd(run: Run, error: unknown): Omit<RunEnd, 'steps'> & { parts: StreamPart[] } {
  if (error instanceof RunStopped) return { parts: stoppedParts(), status: 'stopped', error: null };
  const text = describe(error);
  log.error('a run failed', { runId: run.id }, error);
  return { parts: [{ type: 'error', errorText: text }], status: 'failed', error: text };
}

function describe(error: unknown): string {
  if (error instanceof RunTimeUp) return 'the run took longer than it may';
  return error instanceof ServiceError ? error.message : 'internal error';
}

async function end(ports: AgentPorts, { run }: Ending, fields: RunEnd): Promise<void> {
  await finishRun(ports, run, fields);
  await forgetConversation(ports, run.id);
}

export async function forgetConversation({ objects }: { objects: Objects }, runId: string): Promise<void> {
  await objects.delete(conversationKey(runId));
}

export function conversationKey(runId: string): string {
  return `runs/${runId}/conversation.json`;
}
