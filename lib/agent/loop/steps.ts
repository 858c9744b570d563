import { type CallEffect, effectsText } from '../../api-contract/call-effects.ts';
import { CALL_STOPPED, readOutcome } from '../../api-contract/call-outcome.ts';
import type { Role } from '../../api-contract/roles.ts';
import type { StreamPart } from '../../api-contract/stream-part.ts';
import { shareThread } from '../../async/share-thread.ts';
import type {
  FinishReason,
  LanguageModel,
  ModelMessage,
  ModelTool,
  ToolCall,
} from '../../ports/language-model.ts';
import type { Question } from '../../runs/approvals.ts';
import type { ApprovalBasis } from '../../runs/schema.ts';
import type { SteeringMessage } from '../../runs/steer.ts';
import { promptCutText, promptRoom, streamWithin } from '../../support/prompt-room.ts';
import { messagePart } from '../../ui-messages/message-part.ts';
import { notice } from '../../ui-messages/notice.ts';
import {
  type AdmittedCall,
  admitCalls,
  type CheckedCall,
  callTool,
  checkCall,
  describeCall,
  type FitCall,
} from '../calls/call.ts';
import type { Verdict } from '../calls/judge-call.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';
import type { CallStops } from './call-stops.ts';
import { showText } from './cited-passages.ts';
import { type AgentConversation, addUsage, citedIn } from './conversation.ts';
import { fitRequest, resultRoom } from './fit-request.ts';
import type { LiveOutput } from './live-output.ts';
import { makeRoom } from './make-room.ts';
import { type ModelAnswer, readModelAnswer } from './model-answer.ts';
import { resultText } from './model-messages.ts';
import { countCall, countStep, type StepResult, uselessText } from './useless-steps.ts';

export interface LoopRun {
  conversation: AgentConversation;
  model: LanguageModel;
  tools: Tool[];
  modelTools: ModelTool[];
  context: ToolContext;
  /** Output of its running calls. */
  live: LiveOutput;
  stops: CallStops;
  maxSteps: number;
  /** Throws if the run's owner has lost access to the run, or no longer has `role`. */
  requireRights(role?: Role): Promise<void>;
  /** Throws if another process may have taken over the run. Called right before each action. */
  requireHeld(): void;
  /** Evaluates the rules of the workspace. */
  judge(call: FitCall): Promise<Verdict>;
  /** Returns the current facts that an approval of the call would depend on. */
  basisOf(call: FitCall, verdict: Verdict): Promise<ApprovalBasis>;
  /** Returns the certain effects that the call would have now. */
  effectsOf(call: FitCall): Promise<CallEffect[]>;
  /** Asks a person for approval; returns the ID of the request. */
  requestApproval(call: FitCall, question: Question): Promise<string>;
  /** Takes the messages that the person sent since the last step. */
  takeMessages(): Promise<SteeringMessage[]>;
  /** True if a message waits for the next step. */
  hasMessages(): Promise<boolean>;
  /** True if another process should continue from here, because this process has little time left. */
  shouldHandOver(): boolean;
}

export type LoopOutcome =
  | { kind: 'finished'; reason: FinishReason }
  /** The run waits for a person's answer, or continues in another process. */
  | { kind: 'parked'; waiting: boolean };

/** The maximum number of calls per answer, because all of them start at once. Calls beyond it are refused. */
const MAX_CALLS = 20;
const TOO_MANY = `At most ${MAX_CALLS} calls are run per answer, so this one was not run. Call again.`;

/**
 * Runs the loop: asks the model, makes its calls, and repeats until the model has finished. Updates the
 * conversation at each step. Throws errors of the model's stream. Tools never throw, unless the run is
 * stopped.
 */
export async function* runSteps(run: LoopRun): AsyncGenerator<StreamPart, LoopOutcome> {
  const { conversation, maxSteps } = run;
  for (;;) {
    if (conversation.steps >= maxSteps) return { kind: 'finished', reason: 'tool-calls' };
    yield* deliverMessages(run);
    yield { type: 'start-step' };
    const reason = yield* runStep(run);
    yield { type: 'finish-step' };
    if (reason !== 'tool-calls' && !(await run.hasMessages())) return { kind: 'finished', reason };
    if (conversation.pending.length > 0) return { kind: 'parked', waiting: true };
    const useless = uselessText(conversation.repeated);
    if (useless !== undefined) {
      yield notice('no-progress', useless);
      return { kind: 'finished', reason: 'other' };
    }
    if (run.shouldHandOver()) return { kind: 'parked', waiting: false };
  }
}

/** Passes the messages that the person has sent in the meantime to the model. */
async function* deliverMessages({ conversation, takeMessages }: LoopRun): AsyncGenerator<StreamPart> {
  for (const message of await takeMessages()) {
    conversation.messages.push({ role: 'user', content: message.text });
    conversation.repeated = { call: '', times: 0 };
    yield messagePart(message);
  }
}

async function* runStep(run: LoopRun): AsyncGenerator<StreamPart, FinishReason> {
  const { conversation, model, modelTools, context } = run;
  await run.requireRights();
  yield* tellOfBudget(run);
  run.requireHeld();
  conversation.steps += 1;
  const { signal } = context;
  const first = await promptRoom(model);
  const fitted = yield* makeRoom(run, first, signal);
  const events = streamWithin(model, first, (room) => {
    context.maxCharacters = resultRoom(room);
    const request = room === first ? fitted : fitRequest(conversation, modelTools, room);
    return model.stream({ ...request, signal, reader: 'live' });
  });
  const show = () => showText(citedIn(conversation));
  const { text, calls, finish } = yield* readModelAnswer(events, conversation.steps, show);
  addUsage(conversation.usage, finish.usage);
  conversation.promptTokens = finish.usage.inputTokens;
  yield* tellOfCut(conversation, finish);
  const admitted = admitCalls(calls);
  const toolCalls = admitted.map(({ call }) => call);
  conversation.messages.push({ role: 'assistant', content: text, toolCalls });
  if (calls.length === 0) return finish.reason;
  await run.requireRights(); // the model may have taken long
  yield* makeCalls(run, admitted);
  return 'tool-calls';
}

/** Reports once per run that the server truncated a prompt. */
function* tellOfCut(
  conversation: AgentConversation,
  { promptCut, usage }: ModelAnswer['finish'],
): Iterable<StreamPart> {
  if (!promptCut || conversation.toldOfCut) return;
  conversation.toldOfCut = true;
  yield notice('prompt-cut', promptCutText(usage.inputTokens));
}

/** Warns once per run, not once per step. Throws OverBudget. */
async function* tellOfBudget({ model, conversation }: LoopRun): AsyncGenerator<StreamPart> {
  const near = await model.admit?.();
  if (near === undefined || conversation.toldOfBudget) return;
  conversation.toldOfBudget = true;
  yield notice('budget-near', near);
}

interface Result {
  call: ToolCall;
  output: unknown;
  isError: boolean;
  /** True if the call wasn't made. */
  isRefused?: boolean;
}

/**
 * Runs the calls of a step concurrently. The reader gets the results as they arrive; the model gets them in
 * the order of the calls.
 */
async function* makeCalls(run: LoopRun, calls: AdmittedCall[]): AsyncGenerator<StreamPart> {
  const running: Promise<Result>[] = [];
  const share = shareThread();
  for (const [index, { call, problem }] of calls.entries()) {
    await share();
    const refusal = index < MAX_CALLS ? problem : TOO_MANY;
    const checked = refusal === undefined ? checkCall(run.tools, call) : { call, input: {}, refusal };
    yield inputPart(call, checked);
    const asked = await askFirst(run, checked);
    if (typeof asked === 'string')
      yield { type: 'tool-approval-request', approvalId: asked, toolCallId: call.id };
    else running.push(startCall(run, call, stopCircle(run, asked)));
  }
  const { repeated, messages, pending } = run.conversation;
  const earlier = [...messages];
  const results = yield* collectResults(run, running);
  countStep(repeated, pending.length > 0 ? [] : results.map(stepResult), earlier);
}

/** Returns the ID of the approval that the call waits for, or the call itself if it needs none. */
async function askFirst(run: LoopRun, checked: CheckedCall): Promise<string | CheckedCall> {
  if (checked.refusal !== undefined) return checked;
  const verdict = await run.judge(checked);
  if (verdict.word === 'refuse') return refuse(checked, verdict.text);
  const described = await describeCall(checked, run.context);
  if ('refusal' in described) return refuse(checked, described.refusal);
  if (described.summary === undefined && verdict.word === 'allow') return checked;
  // Read first. If a file changes in between, it then differs from its description, and the call doesn't run.
  const basis = await run.basisOf(checked, verdict);
  const question = questionOf(described.summary, verdict, checked, await run.effectsOf(checked));
  if (question === undefined) return checked;
  const approvalId = await run.requestApproval(checked, { ...question, basis });
  run.conversation.pending.push({ call: checked.call, approvalId });
  return approvalId;
}

export function refuse({ call, input }: FitCall, refusal: string): CheckedCall {
  return { call, input, refusal };
}

/** Returns the question about a call. A tool's own question is asked each time, whatever the rules say. */
function questionOf(
  summary: string | undefined,
  verdict: Verdict,
  { tool, input }: FitCall,
  effects: CallEffect[],
): Question | undefined {
  if (summary !== undefined) return { summary, subjects: [] };
  if (verdict.word !== 'ask') return undefined;
  const { question: requiredBy, subjects } = verdict;
  return {
    ...{ summary: tool.describe?.(input) ?? (effectsText(effects) || requiredBy) },
    ...{ subjects, effects, requiredBy },
  };
}

export async function* collectResults(
  run: LoopRun,
  running: Promise<Result>[],
): AsyncGenerator<StreamPart, Result[]> {
  yield* arriving(run.live, running);
  const results = await Promise.all(running);
  const { conversation } = run;
  conversation.messages.push(...results.map(toResultMessage));
  conversation.failedCalls = (conversation.failedCalls ?? 0) + results.filter(hasFailed).length;
  return results;
}

/** A command that ended with another exit code than 0 counts as failed, unless a person stopped it. */
function hasFailed({ output, isError, isRefused }: Result): boolean {
  return isRefused !== true && output !== CALL_STOPPED && (isError || readOutcome(output).state === 'failed');
}

/**
 * Starts a call. The result is awaited only after all calls of the step have started. Until then, a rejection
 * must not end the process.
 */
export function startCall(
  run: LoopRun,
  call: ToolCall,
  checked: CheckedCall,
  approvedBy: string | null = null,
): Promise<Result> {
  run.requireHeld();
  const showOutput = (text: string) => run.live.add(call.id, text);
  const stopped = run.stops.signalOf(call.id);
  const result = makeCall({ ...run.context, approvedBy, showOutput, stopped }, call, checked);
  result.catch(() => undefined);
  return result;
}

async function makeCall(context: ToolContext, call: ToolCall, checked: CheckedCall): Promise<Result> {
  if (checked.refusal !== undefined) return { call, output: checked.refusal, isError: true, isRefused: true };
  const { maxCharacters } = context;
  return {
    call,
    ...(await callTool(checked, context, maxCharacters === undefined ? {} : { maxCharacters })),
  };
}

/** Refuses a call that is repeated too often. Approved calls don't count, because a person has seen them. */
function stopCircle({ conversation }: LoopRun, checked: CheckedCall): CheckedCall {
  const refusal = countCall(conversation.repeated, checked.call);
  return refusal === undefined || checked.refusal !== undefined ? checked : refuse(checked, refusal);
}

/** Yields the output of running calls, and each result as it arrives. */
async function* arriving(live: LiveOutput, results: Promise<Result>[]): AsyncGenerator<StreamPart> {
  const waiting = new Map(results.map((result, at) => [at, result.then((value) => ({ at, value }))]));
  while (waiting.size > 0) {
    const arrived = await Promise.race([...waiting.values(), live.more()]);
    yield* live.take();
    if (arrived === undefined) continue;
    waiting.delete(arrived.at);
    yield resultPart(arrived.value);
  }
}

function inputPart(call: ToolCall, checked: CheckedCall): StreamPart {
  const { id: toolCallId, name: toolName } = call;
  const { input, refusal } = checked;
  return refusal === undefined
    ? { type: 'tool-input-available', toolCallId, toolName, input }
    : { type: 'tool-input-error', toolCallId, toolName, input, errorText: refusal };
}

function resultPart({ call, output, isError }: Result): StreamPart {
  return isError
    ? { type: 'tool-output-error', toolCallId: call.id, errorText: resultText(output) }
    : { type: 'tool-output-available', toolCallId: call.id, output };
}

function stepResult({ call, output, isRefused = false }: Result): StepResult {
  return { call, content: resultText(output), isRefused };
}

export function toResultMessage({ call, output, isError }: Result): ModelMessage {
  return { role: 'tool', toolCallId: call.id, content: resultText(output), isError };
}
