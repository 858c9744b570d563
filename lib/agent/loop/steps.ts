import { type CallEffect, effectsText } from '../../api-contract/call-effects.ts';
import type { Role } from '../../api-contract/roles.ts';
import type { StreamPart } from '../../api-contract/stream-part.ts';
import { shareThread } from '../../async/share-thread.ts';
import type {
  FinishReason,
  LanguageModel,
  ModelMessage,
  ModelTool,
  ToolCall,
  Usage,
} from '../../ports/language-model.ts';
import type { Approved, CallDecision, PendingCall, Question } from '../../runs/approvals.ts';
import { changeSince } from '../../runs/basis.ts';
import type { ApprovalBasis } from '../../runs/schema.ts';
import { approvalAnswered } from '../../ui-messages/approval-parts.ts';
import { notice } from '../../ui-messages/notice.ts';
import {
  type AdmittedCall,
  admitCalls,
  type CheckedCall,
  callTool,
  checkCall,
  describeCall,
  type FitCall,
  tellRefused,
} from '../calls/call.ts';
import type { Verdict } from '../calls/judge-call.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';
import { type CitedPassages, noPassages, showText } from './cited-passages.ts';
import { fitContext } from './fit-context.ts';
import { readModelAnswer } from './model-answer.ts';
import { resultText } from './model-messages.ts';
import type { Searched } from './searched.ts';

/** State of a run between its steps, over hours and processes. */
export interface AgentConversation {
  system: string;
  messages: ModelMessage[];
  usage: Usage;
  steps: number;
  /** Calls of the latest step that wait for a person. */
  pending: PendingCall[];
  /** The latest call, and how often it came in a row. */
  repeated: { call: string; times: number };
  /** The reader has the notice that a budget is nearly used up. */
  toldOfBudget?: boolean;
  /** Absent until the index is searched. */
  searched?: Searched;
  /** Passages that the answer may cite, and those that it cites. Absent in a run that an earlier release began. */
  cited?: CitedPassages;
  /** Whether a model judges the citations of the answer. */
  judge?: boolean;
}

export interface LoopRun {
  conversation: AgentConversation;
  model: LanguageModel;
  tools: Tool[];
  modelTools: ModelTool[];
  context: ToolContext;
  maxSteps: number;
  /** Throws if the run's owner has lost the right to it, or no longer has `role`. */
  requireRights(role?: Role): Promise<void>;
  /** Throws when another process may work on the run by now. Asked right before anything is done. */
  requireHeld(): void;
  /** Evaluates the rules of the workspace. */
  judge(call: FitCall): Promise<Verdict>;
  /** The facts that an answer to the call would be about, as they are now. */
  basisOf(call: FitCall, verdict: Verdict): Promise<ApprovalBasis>;
  /** What the call would do now, as far as that is certain. */
  effectsOf(call: FitCall): Promise<CallEffect[]>;
  /** Asks a person for approval; returns the ID of the request. */
  requestApproval(call: FitCall, question: Question): Promise<string>;
  /** Whether another process should continue from here, because this one's time runs out. */
  shouldHandOver(): boolean;
}

export type LoopOutcome =
  | { kind: 'finished'; reason: FinishReason }
  /** The run waits for a person's answer, or continues in another process. */
  | { kind: 'parked'; waiting: boolean };

/** An answer's further calls are refused: all calls of an answer begin at once. */
const MAX_CALLS = 20;
const TOO_MANY = `At most ${MAX_CALLS} calls are run per answer, so this one was not run. Call again.`;
/** From the third identical call in a row on, it isn't made: the model loops. */
const MAX_REPEATS = 3;

/**
 * The loop: asks the model, makes the calls that it wants, and so on until it has said all. Changes the conversation as it
 * goes. Throws what the model's stream throws; tools never throw, unless the run is stopped.
 */
export async function* runSteps(run: LoopRun): AsyncGenerator<StreamPart, LoopOutcome> {
  const { conversation, maxSteps } = run;
  for (;;) {
    if (conversation.steps >= maxSteps) return { kind: 'finished', reason: 'tool-calls' };
    yield { type: 'start-step' };
    const reason = yield* runStep(run);
    yield { type: 'finish-step' };
    if (reason !== 'tool-calls') return { kind: 'finished', reason };
    if (conversation.pending.length > 0) return { kind: 'parked', waiting: true };
    if (run.shouldHandOver()) return { kind: 'parked', waiting: false };
  }
}

async function* runStep(run: LoopRun): AsyncGenerator<StreamPart, FinishReason> {
  const { conversation, model, modelTools, context } = run;
  await run.requireRights();
  yield* tellOfBudget(run);
  run.requireHeld();
  conversation.steps += 1;
  const events = model.stream({
    system: conversation.system,
    messages: fitContext(conversation.messages),
    tools: modelTools,
    signal: context.signal,
    reader: 'live',
  });
  const show = () => showText(citedIn(conversation));
  const { text, calls, finish } = yield* readModelAnswer(events, conversation.steps, show);
  addUsage(conversation.usage, finish.usage);
  const admitted = admitCalls(calls);
  const toolCalls = admitted.map(({ call }) => call);
  conversation.messages.push({ role: 'assistant', content: text, toolCalls });
  if (calls.length === 0) return finish.reason;
  await run.requireRights(); // the model may have taken its time
  yield* makeCalls(run, admitted);
  return 'tool-calls';
}

export function citedIn(conversation: AgentConversation): CitedPassages {
  conversation.cited ??= noPassages();
  return conversation.cited;
}

/** Warns once per run, however many steps it has. Throws OverBudget. */
async function* tellOfBudget({ model, conversation }: LoopRun): AsyncGenerator<StreamPart> {
  const near = await model.admit?.();
  if (near === undefined || conversation.toldOfBudget) return;
  conversation.toldOfBudget = true;
  yield notice('budget-near', near);
}

export function addUsage(total: Usage, { inputTokens, outputTokens }: Usage): void {
  total.inputTokens = (total.inputTokens ?? 0) + (inputTokens ?? 0);
  total.outputTokens = (total.outputTokens ?? 0) + (outputTokens ?? 0);
}

interface Result {
  call: ToolCall;
  output: unknown;
  isError: boolean;
}

/** The calls of a step run side by side; results go out as they come, and to the model in the order of the calls. */
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
  yield* collectResults(run, running);
}

/** The id of the approval that the call waits for; the call itself when it waits for none. */
async function askFirst(run: LoopRun, checked: CheckedCall): Promise<string | CheckedCall> {
  if (checked.refusal !== undefined) return checked;
  const verdict = await run.judge(checked);
  if (verdict.word === 'refuse') return refuse(checked, verdict.text);
  const described = await describeCall(checked, run.context);
  if ('refusal' in described) return refuse(checked, described.refusal);
  if (described.summary === undefined && verdict.word === 'allow') return checked;
  // First: a file that changes in between is not what was described, and the call is not run.
  const basis = await run.basisOf(checked, verdict);
  const question = questionOf(described.summary, verdict, checked, await run.effectsOf(checked));
  if (question === undefined) return checked;
  const approvalId = await run.requestApproval(checked, { ...question, basis });
  run.conversation.pending.push({ call: checked.call, approvalId });
  return approvalId;
}

function refuse({ call, input }: FitCall, refusal: string): CheckedCall {
  return { call, input, refusal };
}

/** Questions of the tool itself are asked each time: no rule answers them. */
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

async function* collectResults(run: LoopRun, running: Promise<Result>[]): AsyncGenerator<StreamPart> {
  for await (const result of inOrderOfArrival(running)) yield resultPart(result);
  run.conversation.messages.push(...(await Promise.all(running)).map(toMessage));
}

/** The call is waited for only when all calls of the step have begun: until then a stop must not end the process. */
function startCall(
  run: LoopRun,
  call: ToolCall,
  checked: CheckedCall,
  approvedBy: string | null = null,
): Promise<Result> {
  run.requireHeld();
  const result = makeCall({ ...run.context, approvedBy }, call, checked);
  result.catch(() => undefined);
  return result;
}

async function makeCall(context: ToolContext, call: ToolCall, checked: CheckedCall): Promise<Result> {
  if (checked.refusal !== undefined) return { call, output: checked.refusal, isError: true };
  return { call, ...(await callTool(checked, context)) };
}

/** Refuses a call that comes again and again. One that a person approves is not counted: they saw it. */
function stopCircle(run: LoopRun, checked: CheckedCall): CheckedCall {
  const times = countRepeats(run.conversation, checked.call);
  if (times < MAX_REPEATS || checked.refusal !== undefined) return checked;
  return refuse(checked, repeatedText(times));
}

function countRepeats({ repeated }: AgentConversation, { name, input }: ToolCall): number {
  const call = `${name} ${input}`;
  repeated.times = repeated.call === call ? repeated.times + 1 : 1;
  repeated.call = call;
  return repeated.times;
}

function repeatedText(times: number): string {
  return `This call was requested ${times} times in a row, so it was not run again. Its result is above. Try another way, or say what is missing.`;
}

async function* inOrderOfArrival<Value>(promises: Promise<Value>[]): AsyncGenerator<Value> {
  const waiting = new Map(
    promises.map((promise, index) => [index, promise.then((value) => ({ index, value }))]),
  );
  while (waiting.size > 0) {
    const { index, value } = await Promise.race(waiting.values());
    waiting.delete(index);
    yield value;
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

function toMessage({ call, output, isError }: Result): ModelMessage {
  return { role: 'tool', toolCallId: call.id, content: resultText(output), isError };
}

/**
 * The approved call, refused if it's no longer what the person was asked about: the tool has changed, the rules refuse it
 * or ask for another reason, or a path that it names leads elsewhere or contains something else.
 */
async function asApproved(
  run: LoopRun,
  call: ToolCall,
  { input, version, basis }: Approved,
): Promise<CheckedCall> {
  const checked = checkCall(run.tools, { ...call, input });
  if (checked.refusal !== undefined) return checked;
  if (checked.tool.version !== version) return refuse(checked, CHANGED);
  const verdict = await run.judge(checked);
  if (verdict.word === 'refuse') return refuse(checked, verdict.text);
  if (basis === undefined) return checked; // asked by a release that kept none
  const change = changeSince(basis, await run.basisOf(checked, verdict));
  return change === undefined ? checked : refuse(checked, `${change} ${ASK_AGAIN}`);
}

const CHANGED =
  'The tool has changed since a person approved this call, so it was not run. If the call is still needed, make it again, and the person will be asked again.';
const ASK_AGAIN =
  'a person was asked about this call, so it was not run. Check the current state. If the call is still right, make it again, and the person will be asked again.';

/**
 * Runs the calls that waited for approval, or skips the denied ones. Compares all of them with their questions before the first
 * starts: a person also approved what one of them changes.
 */
export async function* settlePending(
  run: LoopRun,
  decide: (pending: PendingCall) => CallDecision,
): AsyncGenerator<StreamPart> {
  const { conversation } = run;
  const decided = conversation.pending.map((pending) => ({ pending, decision: decide(pending) }));
  // A reader approves nothing, not even what they approved before.
  await run.requireRights(decided.some(({ decision }) => decision.approved) ? 'member' : undefined);
  const approved = new Map<PendingCall, CheckedCall>();
  for (const { pending, decision } of decided)
    if (decision.approved) approved.set(pending, await asApproved(run, pending.call, decision));
  const running: Promise<Result>[] = [];
  for (const { pending, decision } of decided) {
    const { call, approvalId } = pending;
    const checked = approved.get(pending);
    const { reason } = decision;
    // Started before anything is recorded: the approval is used by now, and a worker killed in between would never run the call.
    if (decision.approved && checked) running.push(startCall(run, call, checked, decision.by));
    yield approvalAnswered({ approvalId, toolCallId: call.id, approved: decision.approved, reason });
    if (!decision.approved) yield* leaveOut(run, call, decision.text);
  }
  yield* collectResults(run, running);
  conversation.pending = [];
}

async function* leaveOut(run: LoopRun, call: ToolCall, text: string): AsyncGenerator<StreamPart> {
  await tellRefused(checkCall(run.tools, call), run.context);
  yield { type: 'tool-output-denied', toolCallId: call.id };
  run.conversation.messages.push(toMessage({ call, output: text, isError: true }));
}
