import { CALL_STOPPED } from '../../api-contract/call-outcome.ts';
import { InvalidInput } from '../../errors.ts';
import { errorText, knownError } from '../../known-error.ts';
import { log } from '../../log.ts';
import type { ToolCall } from '../../ports/language-model.ts';
import { isBoundedJson, parseBoundedJson } from '../../validation/bounded-json.ts';
import { describeIssues } from '../../validation/describe-issues.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';
import { cutOutput } from './cut-output.ts';

/** A model's tool call, checked before anything runs: ready to run, or refused with a text for the model. */
export type CheckedCall = FitCall | { call: ToolCall; input: unknown; refusal: string };

export interface FitCall {
  call: ToolCall;
  tool: Tool;
  /** The exact arguments that the tool gets, and that the approval covers. */
  input: Record<string, unknown>;
  refusal?: undefined;
}

export interface CallResult {
  /** Any JSON value. */
  output: unknown;
  isError: boolean;
}

/** The maximum length in characters, because inputs are stored in the run's events, and a record has at most 400 KB. */
export const MAX_INPUT_CHARACTERS = 100_000;
const MAX_ALL_INPUTS = 400_000;
const TOO_LONG = `The arguments are longer than ${MAX_INPUT_CHARACTERS} characters. Write less per call.`;
const TOO_LONG_TOGETHER = `The arguments of all calls of this answer are longer than ${MAX_ALL_INPUTS} characters. Write less per answer.`;
const TOO_COMPLEX =
  'The arguments have too many values, field names, or levels of nesting. Write less per call.';
const MAX_OUTPUT_CHARACTERS = 30_000;
const MAX_ERROR_CHARACTERS = 2000;

/** A model's call as the conversation stores it, with the reason if it's unreadable. */
export interface AdmittedCall {
  call: ToolCall;
  problem?: string;
}

/**
 * Omits arguments that are too long, alone or together, or too complex. Each step sends the conversation to
 * the model, and some adapters parse it.
 */
export function admitCalls(calls: ToolCall[]): AdmittedCall[] {
  let room = MAX_ALL_INPUTS;
  return calls.map((call) => {
    const problem = problemOf(call.input, room);
    if (problem !== undefined) return { call: { ...call, input: '{}' }, problem };
    room -= call.input.length;
    return { call };
  });
}

function problemOf(input: string, room: number): string | undefined {
  if (input.length > MAX_INPUT_CHARACTERS) return TOO_LONG;
  if (input.length > room) return TOO_LONG_TOGETHER;
  return isBoundedJson(input) ? undefined : TOO_COMPLEX;
}

/** Checks a call. Never throws. Only a tool in `tools` can be called, whatever the model reads or writes. */
export function checkCall(tools: Tool[], call: ToolCall): CheckedCall {
  const tool = tools.find(({ name }) => name === call.name);
  const { input, problem } = parseInput(call.input);
  if (tool === undefined) return { call, input, refusal: unknownTool(tools, call.name) };
  if (problem !== undefined) return { call, input, refusal: problem };
  const parsed = tool.input.safeParse(input);
  if (parsed.success) return { call, tool, input: parsed.data };
  return { call, input, refusal: describeIssues(parsed.error, tool.input, input, 'arguments') };
}

function unknownTool(tools: Tool[], name: string): string {
  const names = tools.map((tool) => tool.name).join(', ') || 'none';
  return `The tool ${JSON.stringify(name.slice(0, 64))} doesn't exist here. Available tools: ${names}.`;
}

/** Omits the parser's own message, which quotes the input and may contain a secret. */
function parseInput(text: string): { input: unknown; problem?: string } {
  if (text.length > MAX_INPUT_CHARACTERS) return { input: {}, problem: TOO_LONG };
  try {
    return { input: text.trim() === '' ? {} : withoutNulls(parseBoundedJson(text, 'The input')) };
  } catch (error) {
    if (error instanceof InvalidInput) return { input: {}, problem: TOO_COMPLEX };
    const place = /at position \d+/.exec((error as Error).message)?.[0] ?? 'at their end';
    return { input: text, problem: `The arguments aren't valid JSON (${place}). Write the call again.` };
  }
}

/** Removes null fields, because some models write null in place of omitting a field. */
function withoutNulls(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

/**
 * Runs a call within the tool's own time limit. Failures are results for the model to read. Throws only the reason of
 * `context.signal` if it is aborted.
 */
export async function callTool(
  { tool, input }: FitCall,
  context: ToolContext,
  { maxCharacters = MAX_OUTPUT_CHARACTERS } = {},
): Promise<CallResult> {
  const { output, refusal } = await withinTime(tool, context, async (within) => {
    const whole = toJson(await tool.run(input, within));
    return cutOutput(whole, maxCharacters, tool.rest?.(input));
  });
  return refusal === undefined ? { output, isError: false } : { output: refusal, isError: true };
}

/**
 * Returns the question for a person before the call, or undefined if the call needs no approval. If the call
 * can't be proposed, returns the reason for the model. Runs within the tool's own time limit; throws like
 * callTool.
 */
export async function describeCall(
  { tool, input }: FitCall,
  context: ToolContext,
): Promise<{ summary: string | undefined } | { refusal: string }> {
  const { approval } = tool;
  if (!approval?.needed(input)) return { summary: undefined };
  const { output, refusal } = await withinTime(tool, context, (within) => approval.describe(input, within));
  return refusal === undefined ? { summary: output } : { refusal };
}

/** Notifies the tool that its call was denied or expired. Throws if the run is stopped. */
export async function tellRefused(checked: CheckedCall, context: ToolContext): Promise<void> {
  if (checked.refusal !== undefined) return;
  const { tool, input } = checked;
  const { refusal } = await withinTime(tool, context, async (within) =>
    tool.approval?.refused?.(input, within),
  );
  if (refusal !== undefined) log.warn('a refused call was not noted', { tool: tool.name, refusal });
}

async function withinTime<Output>(
  tool: Tool,
  context: ToolContext,
  work: (context: ToolContext) => Promise<Output>,
): Promise<{ output: Output; refusal?: undefined } | { output?: undefined; refusal: string }> {
  context.signal.throwIfAborted();
  const timer = new AbortController();
  const timeout = setTimeout(() => timer.abort(), tool.timeoutMs);
  const { stopped } = context;
  const signal = AbortSignal.any([context.signal, timer.signal, ...(stopped ? [stopped] : [])]);
  try {
    return { output: await beforeAbort(signal, () => work({ ...context, signal })) };
  } catch (error) {
    context.signal.throwIfAborted();
    if (stopped?.aborted) return { refusal: CALL_STOPPED };
    return { refusal: timer.signal.aborted ? tooLate(tool) : describeFailure(tool, context, error) };
  } finally {
    clearTimeout(timeout);
  }
}

/** Returns early if the signal is aborted, because a tool may ignore the signal. */
async function beforeAbort<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work(), promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Converts the output to JSON and back, so that the model, the stream, and the store have the same value. */
function toJson(output: unknown): unknown {
  return output === undefined ? null : JSON.parse(JSON.stringify(output));
}

function tooLate({ name, timeoutMs }: Tool): string {
  return `${name} took more than ${Math.round(timeoutMs / 1000)} s and was stopped. Request less per call.`;
}

function describeFailure(tool: Tool, { runId }: ToolContext, error: unknown): string {
  if (knownError(error) === undefined) log.error('a tool failed', { tool: tool.name, runId }, error);
  return errorText(error).slice(0, MAX_ERROR_CHARACTERS);
}
