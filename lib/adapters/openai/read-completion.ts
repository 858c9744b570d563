import { setTimeout as pause } from 'node:timers/promises';
import { UpstreamFailed } from '../../errors.ts';
import type { FinishReason, ModelEvent, Usage } from '../../ports/language-model.ts';
import { providerFailure } from '../outbound/provider-failure.ts';
import { parseJson } from '../outbound/response-bytes.ts';
import type { ThoughtSplitter } from '../outbound/split-thoughts.ts';
import { type KnownCalls, type ToolCallPiece, toolCallCollector } from './tool-calls.ts';

/** A chunk as servers really send it: nothing in it is certain. */
export interface Piece {
  choices?: {
    delta?: Delta;
    finish_reason?: string | null;
  }[];
  usage?: { prompt_tokens?: number; completion_tokens?: number } | null;
  error?: unknown;
}

interface Delta {
  /** A text, or Mistral's list of parts. */
  content?: unknown;
  refusal?: string | null;
  reasoning_content?: unknown;
  reasoning?: unknown;
  reasoning_details?: unknown;
  thinking?: unknown;
  /** Of Gemini: says that the content is a thought. */
  extra_content?: { google?: { thought?: boolean } | null } | null;
  tool_calls?: ToolCallPiece[] | null;
  /** One call, in the form before `tool_calls`. */
  function_call?: ToolCallPiece['function'];
}

/** The state of an answer while it streams. */
interface Answer {
  splitter: ThoughtSplitter;
  /** The server sends thoughts apart: those in the content are the same again. */
  hasThoughts: boolean;
  calls: ReturnType<typeof toolCallCollector>;
  reason: string | undefined;
  hasText: boolean;
  usage: Usage;
}

export interface ReadOptions {
  splitter: ThoughtSplitter;
  /** Whether the stream has come to its `[DONE]`. */
  isDone: () => boolean;
  known?: KnownCalls;
}

/**
 * A connection that breaks after the finish reason has lost nothing but the usage. Some servers give no reason, and end a whole
 * answer with `[DONE]` alone.
 */
export async function* readCompletion(
  who: string,
  pieces: AsyncIterable<Piece>,
  { splitter, isDone, known }: ReadOptions,
): AsyncGenerator<ModelEvent> {
  const usage: Usage = { inputTokens: null, outputTokens: null };
  const calls = toolCallCollector(known);
  const answer: Answer = { splitter, hasThoughts: false, calls, reason: undefined, hasText: false, usage };
  try {
    const left = untilEnd(pieces, () => answer.reason !== undefined);
    for await (const piece of left) yield* readPiece(who, answer, piece);
  } catch (error) {
    if (answer.reason !== undefined) return yield* endAnswer(who, answer);
    yield* splitter.end('cut');
    throw error;
  }
  const isWhole = calls.size === 0 ? answer.hasText : [...calls.finish()].every(isWholeCall);
  if (isWhole && isDone()) answer.reason ??= 'unknown';
  yield* endAnswer(who, answer);
}

/** After the reason of the end comes the usage, at most: some servers leave the stream open. */
async function* untilEnd(pieces: AsyncIterable<Piece>, hasEnded: () => boolean): AsyncGenerator<Piece> {
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = iterator.next();
      next.catch(() => undefined); // awaited below, unless it comes too late
      const late = { done: true, value: undefined } as const;
      const { done, value } = await (hasEnded()
        ? Promise.race([next, pause(AFTER_END_MS, late, { ref: false })])
        : next);
      if (done) return;
      yield value;
    }
  } finally {
    void iterator.return?.()?.catch(() => undefined);
  }
}

const AFTER_END_MS = 3000;

function* endAnswer(who: string, { splitter, calls, reason, usage }: Answer): Iterable<ModelEvent> {
  yield* splitter.end(reason === 'stop' ? 'stop' : 'cut');
  if (reason === undefined)
    throw new UpstreamFailed('model_interrupted', `${who} stopped in the middle of its answer. Try again.`);
  const told = toReason(reason);
  // Arguments that were cut off are no call.
  const called = calls.size > 0 && told !== 'length' && told !== 'content-filter';
  if (called) yield* calls.finish();
  yield { type: 'finish', reason: called ? 'tool-calls' : told, usage };
}

function* readPiece(who: string, answer: Answer, piece: Piece): Iterable<ModelEvent> {
  // The list is Gemini's.
  const { error } = Array.isArray(piece) ? ((piece as Piece[])[0] ?? {}) : piece;
  if (error || Array.isArray(piece)) throw providerFailure(who, { error });
  answer.usage = readUsage(piece) ?? answer.usage;
  const choice = piece.choices?.[0];
  answer.hasText ||= Boolean(choice?.delta?.content);
  yield* readDelta(answer, choice?.delta ?? {});
  const called = callPieces(choice?.delta ?? {});
  if (called.length > 0) yield* answer.splitter.end();
  for (const call of called) yield* answer.calls.add(call);
  answer.reason = choice?.finish_reason ?? answer.reason;
}

function callPieces({ tool_calls: calls, function_call: called }: Delta): ToolCallPiece[] {
  if (Array.isArray(calls)) return calls;
  return called ? [{ function: called }] : [];
}

/** Arguments may have been cut off where no reason says that they weren't. */
function isWholeCall(event: ModelEvent): boolean {
  return event.type === 'tool-call' && parseJson(Buffer.from(event.call.input)) !== undefined;
}

function readUsage({ usage }: Piece): Usage | undefined {
  if (!usage) return undefined;
  return { inputTokens: usage.prompt_tokens ?? null, outputTokens: usage.completion_tokens ?? null };
}

function* readDelta(answer: Answer, delta: Delta): Iterable<ModelEvent> {
  const { content, refusal } = delta;
  const thought = thoughtIn(delta);
  if (thought !== '') yield { type: 'reasoning', text: thought };
  answer.hasThoughts ||= thought !== '';
  const isThought = delta.extra_content?.google?.thought === true;
  for (const part of Array.isArray(content) ? content : [content])
    yield* readContent(answer, part, isThought);
  if (refusal && !content) yield { type: 'text', text: refusal };
}

/** The first field that has one: some servers send the same in two. */
function thoughtIn({ reasoning_content, reasoning, reasoning_details, thinking }: Delta): string {
  const fields = [reasoning_content, reasoning, reasoning_details, thinking];
  return fields.map((field) => textIn(field)).find((text) => text !== '') ?? '';
}

function* readContent(answer: Answer, part: unknown, isThought: boolean): Iterable<ModelEvent> {
  const text = textIn(part);
  if (isThought || (isRecord(part) && part.type === 'thinking')) {
    const thought = text.replace(/<\/?thought>/g, '');
    if (thought !== '') yield { type: 'reasoning', text: thought };
    return;
  }
  for (const event of answer.splitter.add(text))
    if (!(answer.hasThoughts && event.type === 'reasoning')) yield event;
}

/** The text of a field that servers fill with a text, an object, or a list of objects; these nest in two levels. */
function textIn(value: unknown, depth = 4): string {
  if (typeof value === 'string') return value;
  if (!isRecord(value) || depth === 0) return '';
  if (Array.isArray(value)) return value.map((each) => textIn(each, depth - 1)).join('');
  const { text, content, summary, thinking, reasoning } = value;
  return textIn(text ?? content ?? summary ?? thinking ?? reasoning, depth - 1);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The calls tell whether tools were called: Gemini ends those answers with `stop`. */
function toReason(reason: string): FinishReason {
  if (reason === 'stop' || reason === 'length') return reason;
  if (reason === 'max_tokens') return 'length';
  return reason === 'content_filter' ? 'content-filter' : 'other';
}
