import { CALL_STOPPED, readOutcome } from '../../lib/api-contract/call-outcome.ts';
import { markFound } from '../../lib/api-contract/found-sources.ts';
import { streamError } from '../api/stream-error.ts';
import { type Citation, type Part, readTokens } from '../chat/message-view.ts';

/**
 * The state of a run, computed from the parts of its stream. Pure, so the same parts produce the same view, whether
 * they arrive live or are replayed after a reload. An unknown part, or a part about an unknown call, changes nothing.
 */
export type Step =
  | { kind: 'text' | 'reasoning'; id: string; text: string }
  | { kind: 'notice'; id: string; code: string; text: string }
  /** A message that the person sent while the run worked. */
  | { kind: 'said'; id: string; text: string }
  | { kind: 'call'; id: string; call: Call };

export interface Call {
  tool: string;
  state: 'writing' | 'running' | 'waiting' | 'allowed' | 'done' | 'failed' | 'stopped' | 'denied';
  /** The input as it arrives, until it's complete. */
  inputText: string;
  input?: unknown;
  output?: unknown;
  /** Output of a running command. */
  live?: string;
  error?: string;
  approvalId?: string;
  /** The person's reason for denying a call. */
  reason?: string;
}

export interface RunSteps {
  steps: Step[];
  /** The parts with the citations of the texts. */
  sources: Part[];
  metadata?: unknown;
  error?: Error;
  isOver: boolean;
  /** Number of tokens that the model must read before its next token. */
  waiting?: number | undefined;
}

export interface RunPart {
  type: string;
  [field: string]: unknown;
}

export const NO_STEPS: RunSteps = { steps: [], sources: [], isOver: false };

export function addPart(run: RunSteps, part: RunPart): RunSteps {
  const change = CHANGES[part.type];
  return change === undefined ? run : change({ ...run, waiting: undefined }, part);
}

const CHANGES: Record<string, (run: RunSteps, part: RunPart) => RunSteps> = {
  'text-start': (run, part) => begin(run, 'text', part),
  'text-delta': (run, part) => append(run, 'text', part),
  'reasoning-start': (run, part) => begin(run, 'reasoning', part),
  'reasoning-delta': (run, part) => append(run, 'reasoning', part),
  'tool-input-start': (run, part) => beginCall(run, part),
  'tool-input-delta': (run, part) =>
    changeCall(run, part, (call) => ({ inputText: call.inputText + textOf(part.inputTextDelta) })),
  'tool-input-available': (run, part) =>
    changeCall(beginCall(run, part), part, () => ({ state: 'running', input: part.input })),
  'tool-input-error': (run, part) =>
    changeCall(beginCall(run, part), part, () => ({
      state: 'failed',
      input: part.input,
      error: textOf(part.errorText),
    })),
  'tool-approval-request': (run, part) =>
    changeCall(run, part, () => ({ state: 'waiting', approvalId: textOf(part.approvalId) })),
  'tool-output-available': (run, part) =>
    changeCall(run, part, () => ({ state: readOutcome(part.output).state, output: part.output })),
  'tool-output-error': (run, part) =>
    changeCall(run, part, () => {
      const error = textOf(part.errorText);
      return { state: error === CALL_STOPPED ? 'stopped' : 'failed', error };
    }),
  'tool-output-denied': (run, part) => changeCall(run, part, () => ({ state: 'denied' })),
  'data-approval-response': (run, { data }) => addDecision(run, data),
  'data-output': (run, { data }) => addOutput(run, data),
  'data-notice': (run, part) => addNotice(run, part),
  'data-user-message': (run, part) => addSaid(run, part),
  'data-thought': (run) => moveThought(run),
  'data-citation': (run, part) => ({ ...run, sources: [...run.sources, part] }),
  'data-citation-support': (run, part) => ({ ...run, sources: [...run.sources, part] }),
  error: (run, part) => ({ ...run, error: streamError(textOf(part.errorText)), isOver: true }),
  'data-error': (run, { data }) =>
    run.error === undefined ? run : { ...run, error: streamError(run.error.message, data) },
  abort: (run) => ({ ...run, isOver: true }),
  finish: (run, { messageMetadata }) => ({ ...run, metadata: messageMetadata, isOver: true }),
};

/** Returns the steps with the answers, which the stream sends only after the last request is answered. */
export function withAnswers(
  steps: Step[],
  answered: readonly { id: string; approved: boolean }[] = [],
): Step[] {
  if (answered.length === 0) return steps;
  const states = new Map(answered.map(({ id, approved }) => [id, approved ? 'allowed' : 'denied'] as const));
  return steps.map((step) => {
    if (step.kind !== 'call' || step.call.state !== 'waiting') return step;
    const state = states.get(step.call.approvalId ?? '');
    return state === undefined ? step : { ...step, call: { ...step.call, state } };
  });
}

function begin(run: RunSteps, kind: 'text' | 'reasoning', part: RunPart): RunSteps {
  return { ...run, steps: [...run.steps, { kind, id: `${run.steps.length} ${textOf(part.id)}`, text: '' }] };
}

/** Appends to the last part of its kind, because IDs are reused in each step. */
function append(run: RunSteps, kind: 'text' | 'reasoning', part: RunPart): RunSteps {
  const place = run.steps.findLastIndex((step) => step.kind === kind);
  const step = run.steps[place];
  if (step === undefined || step.kind !== kind) return run;
  return { ...run, steps: run.steps.with(place, { ...step, text: step.text + textOf(part.delta) }) };
}

function beginCall(run: RunSteps, part: RunPart): RunSteps {
  const id = textOf(part.toolCallId);
  if (id === '' || findCall(run, id) >= 0) return run;
  const call: Call = { tool: textOf(part.toolName), state: 'writing', inputText: '' };
  return { ...run, steps: [...run.steps, { kind: 'call', id, call }] };
}

function changeCall(run: RunSteps, part: RunPart, change: (call: Call) => Partial<Call>): RunSteps {
  const place = findCall(run, textOf(part.toolCallId));
  const step = run.steps[place];
  if (step?.kind !== 'call') return run;
  return { ...run, steps: run.steps.with(place, { ...step, call: { ...step.call, ...change(step.call) } }) };
}

function findCall({ steps }: RunSteps, id: string): number {
  return steps.findLastIndex((step) => step.kind === 'call' && step.id === id);
}

/** An approved call runs from now on; a denied one shows the person's reason. */
function addDecision(run: RunSteps, data: unknown): RunSteps {
  const { toolCallId, approved, reason } = (data ?? {}) as Record<string, unknown>;
  const part = { type: '', toolCallId };
  if (approved === true)
    return changeCall(run, part, ({ state }) => (state === 'waiting' ? { state: 'running' } : {}));
  return textOf(reason) === '' ? run : changeCall(run, part, () => ({ reason: textOf(reason) }));
}

function addOutput(run: RunSteps, data: unknown): RunSteps {
  const { toolCallId, chunk } = (data ?? {}) as Record<string, unknown>;
  return changeCall(run, { type: '', toolCallId }, ({ live = '' }) => ({ live: live + textOf(chunk) }));
}

/** Moves the text before the part to the reasoning, because it turned out to be reasoning. */
function moveThought(run: RunSteps): RunSteps {
  const place = run.steps.findLastIndex(({ kind }) => kind === 'text');
  const step = run.steps[place];
  if (step?.kind !== 'text') return run;
  return { ...run, steps: run.steps.with(place, { ...step, kind: 'reasoning' }) };
}

function addNotice(run: RunSteps, { data }: RunPart): RunSteps {
  const waiting = readTokens(data);
  if (waiting !== undefined) return { ...run, waiting };
  const told = (data ?? {}) as Record<string, unknown>;
  const [code, text] = [textOf(told.code), textOf(told.text)];
  if (text === '') return run;
  return { ...run, steps: [...run.steps, { kind: 'notice', id: `${run.steps.length} notice`, code, text }] };
}

function addSaid(run: RunSteps, { id, data }: RunPart): RunSteps {
  const { text } = (data ?? {}) as { text?: unknown };
  const said = { kind: 'said' as const, id: `said ${textOf(id)}`, text: textOf(text) };
  return said.text === '' ? run : { ...run, steps: [...run.steps, said] };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * Returns the model's text before a step, or in all steps. The texts are one answer, whose citations are
 * numbered together.
 */
export function textsBefore(steps: readonly Step[], at = steps.length): string {
  return steps
    .slice(0, at)
    .flatMap((step) => (step.kind === 'text' ? [step.text] : []))
    .join('\n\n');
}

/** Returns the steps with a number after each sentence for which the service found a source. */
export function withFound(steps: readonly Step[], citations: readonly Citation[]): Step[] {
  const { text, placeOf } = markFound(textsBefore(steps), citations);
  let start = 0;
  return steps.map((step) => {
    if (step.kind !== 'text') return step;
    const end = start + step.text.length;
    // A number that was added at the end belongs to the step.
    const marked = { ...step, text: text.slice(placeOf(start), placeOf(end + 1) - 1) };
    start = end + 2;
    return marked.text === step.text ? step : marked;
  });
}
