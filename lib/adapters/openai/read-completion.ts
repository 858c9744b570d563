import { setTimeout as pause } from 'node:timers/promises';
import { UpstreamFailed } from '../../errors.ts';
import type { FinishReason, ModelEvent, Usage } from '../../ports/language-model.ts';
import { readCount } from '../../text/estimate-tokens.ts';
import { providerFailure } from '../outbound/provider-failure.ts';
import { readRefusal } from '../outbound/refusal.ts';
import { parseJson } from '../outbound/response-bytes.ts';
import type { ThoughtSplitter } from '../outbound/split-thoughts.ts';
import { type KnownCalls, type ToolCallPiece, toolCallCollector } from './tool-calls.ts';

/** A chunk as servers send it in practice. No field is guaranteed. */
export interface Piece {
  choices?: (Choice | null)[];
  usage?: { prompt_tokens?: unknown; completion_tokens?: unknown } | null;
  error?: unknown;
}

interface Choice {
  delta?: Delta | null;
  /** Sent by some servers instead of `delta`. */
  message?: Delta | null;
  text?: unknown;
  finish_reason?: unknown;
}

interface Delta {
  /** Text, or Mistral's list of parts. */
  content?: unknown;
  refusal?: string | null;
  reasoning_content?: unknown;
  reasoning?: unknown;
  reasoning_details?: unknown;
  thinking?: unknown;
  /** Gemini's mark for content that is reasoning. */
  extra_content?: { google?: { thought?: boolean } | null } | null;
  tool_calls?: (ToolCallPiece | null)[] | ToolCallPiece | null;
  /** One call, in the format before `tool_calls`. */
  function_call?: ToolCallPiece['function'];
}

/** The state of an answer while it streams. */
interface Answer {
  splitter: ThoughtSplitter;
  /** True if the server sends reasoning separately, so reasoning in the content is a repetition. */
  hasThoughts: boolean;
  calls: ReturnType<typeof toolCallCollector>;
  reason: string | undefined;
  /** The content so far, as sent by the server. */
  content: string;
  hasDelta: boolean;
  /** True if the current chunk has a finish reason. */
  isEnding: boolean;
  usage: Usage;
}

export interface ReadOptions {
  splitter: ThoughtSplitter;
  /** Returns whether the stream has reached its `[DONE]`. */
  isDone: () => boolean;
  known?: KnownCalls;
}

/**
 * Yields the events of an answer. If the connection breaks after the finish reason, only the usage is lost.
 * Some servers give no reason, and end a complete answer with `[DONE]` alone.
 */
export async function* readCompletion(
  who: string,
  pieces: AsyncIterable<Piece>,
  { splitter, isDone, known }: ReadOptions,
): AsyncGenerator<ModelEvent> {
  const usage: Usage = { inputTokens: null, outputTokens: null };
  const calls = toolCallCollector(known);
  const nothing = { hasThoughts: false, hasDelta: false, isEnding: false, content: '', reason: undefined };
  const answer: Answer = { splitter, calls, usage, ...nothing };
  try {
    const left = untilEnd(pieces, () => answer.reason !== undefined);
    for await (const piece of left) yield* readPiece(who, answer, piece);
  } catch (error) {
    if (answer.reason !== undefined) return yield* endAnswer(who, answer);
    yield* splitter.end('cut');
    throw error;
  }
  const isWhole = calls.size === 0 ? answer.content !== '' : haveWholeCalls(answer);
  if (isWhole && isDone()) answer.reason ??= 'unknown';
  yield* endAnswer(who, answer);
}

/** Ends soon after the finish reason: only the usage can follow, and some servers never close the stream. */
async function* untilEnd(pieces: AsyncIterable<Piece>, hasEnded: () => boolean): AsyncGenerator<Piece> {
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = iterator.next();
      next.catch(() => undefined); // awaited below, unless it arrives too late
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

function* endAnswer(who: string, answer: Answer): Iterable<ModelEvent> {
  const { splitter, calls, reason, usage } = answer;
  const told = reason === undefined ? undefined : toReason(reason);
  yield* splitter.end(told === 'stop' ? 'stop' : 'cut');
  const isBroken = told === 'other' && !haveWholeCalls(answer);
  if (told === undefined || isBroken)
    throw new UpstreamFailed('model_interrupted', `${who} stopped in the middle of its answer. Try again.`);
  // A call with truncated arguments is dropped.
  const called = calls.size > 0 && told !== 'length' && told !== 'content-filter';
  if (called) yield* calls.finish();
  yield { type: 'finish', reason: called ? 'tool-calls' : told === 'tool-calls' ? 'stop' : told, usage };
}

function* readPiece(who: string, answer: Answer, piece: unknown): Iterable<ModelEvent> {
  if (!isRecord(piece)) return;
  if (isFailure(piece)) throw providerFailure(who, { error: piece.error ?? piece });
  const { choices, usage } = piece as Piece;
  answer.usage = readUsage(usage) ?? answer.usage;
  const choice = Array.isArray(choices) ? choices[0] : undefined;
  if (!isRecord(choice)) return;
  const delta = deltaOf(answer, choice);
  const reason = reasonIn(choice);
  const before = answer.content;
  answer.isEnding = reason !== undefined;
  yield* readDelta(answer, delta);
  const called = callPieces(delta);
  if (called.length > 0) yield* answer.splitter.end();
  for (const call of called) yield* answer.calls.add(call);
  // If content follows a finish reason, that reason wasn't final.
  const hasMore = called.length > 0 || answer.content !== before;
  answer.reason = reason ?? (hasMore ? undefined : answer.reason);
}

/**
 * Returns whether a chunk is an error in any form: its own field, Gemini's list, or a status and a message instead of
 * the choices.
 */
function isFailure(piece: Record<string, unknown>): boolean {
  if (piece.error || Array.isArray(piece)) return true;
  if ('choices' in piece || 'usage' in piece) return false;
  const told = readRefusal({ error: piece });
  return told !== undefined && (told.status !== undefined || told.texts.length > 0);
}

/** Returns the new part of a chunk. Some servers repeat the whole answer in the last chunk. */
function deltaOf(answer: Answer, { delta, message, text }: Choice): Delta {
  const isDelta = isRecord(delta) && Object.keys(delta).length > 0;
  answer.hasDelta ||= isDelta;
  if (isDelta || answer.hasDelta) return delta ?? {};
  return isRecord(message) ? message : { content: text };
}

/** Returns the finish reason. Some servers send a string that means "no reason". */
function reasonIn({ finish_reason: reason }: Choice): string | undefined {
  const written = String(reason ?? '').toLowerCase();
  return ['', 'null', 'none'].includes(written) ? undefined : written;
}

function callPieces({ tool_calls: calls, function_call: called }: Delta): ToolCallPiece[] {
  if (isRecord(calls)) return [calls].flat().filter(isRecord);
  return isRecord(called) ? [{ function: called }] : [];
}

/** Returns whether the calls are complete. Without a finish reason, their arguments may be truncated. */
function haveWholeCalls({ calls }: Answer): boolean {
  const made = [...calls.finish()];
  return made.every(
    (event) => event.type !== 'tool-call' || parseJson(Buffer.from(event.call.input)) !== undefined,
  );
}

function readUsage(usage: Piece['usage']): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  return { inputTokens: readCount(usage.prompt_tokens), outputTokens: readCount(usage.completion_tokens) };
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

/** Returns the first field with a value. Some servers send the same reasoning in two fields. */
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
  for (const event of answer.splitter.add(takeNew(answer, text)))
    if (!(answer.hasThoughts && event.type === 'reasoning')) yield event;
}

/** Matches two words. No later chunk starts with the same two words by chance. */
const TWO_WORDS = /\p{L}{2}\s+\p{L}{2}/u;

/** Returns only new text. Some servers send the whole answer so far, in each chunk or in the last one. */
function takeNew(answer: Answer, text: string): string {
  const { content, isEnding } = answer;
  // The lengths come first, because comparing the texts of every chunk costs time.
  const isLong = text.length > content.length || (isEnding && text.length === content.length);
  const repeats = isLong && text.startsWith(content) && TWO_WORDS.test(content);
  answer.content = repeats ? text : content + text;
  return repeats ? text.slice(content.length) : text;
}

/** Returns the text of a field that servers fill with text, an object, or a list, nested up to two levels. */
function textIn(value: unknown, depth = 4): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (!isRecord(value) || depth === 0) return '';
  if (Array.isArray(value)) return value.map((each) => textIn(each, depth - 1)).join('');
  const { text, content, summary, thinking, reasoning } = value;
  return textIn(text ?? content ?? summary ?? thinking ?? reasoning, depth - 1);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/**
 * Maps a finish reason, for which servers use various words. The calls themselves show whether the model
 * called tools, because Gemini ends such answers with `stop`.
 */
function toReason(reason: string): FinishReason | undefined {
  if (reason === 'stop') return 'stop';
  if (/length|max/.test(reason)) return 'length';
  if (/filter|safety/.test(reason)) return 'content-filter';
  if (/tool|call/.test(reason)) return 'tool-calls';
  return /error|abort|cancel/.test(reason) ? undefined : 'other';
}
