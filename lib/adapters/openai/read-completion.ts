import { UpstreamFailed } from '../../errors.ts';
import type { FinishReason, ModelEvent, Usage } from '../../ports/language-model.ts';
import { type KnownCalls, type ToolCallPiece, toolCallCollector } from './tool-calls.ts';

/** A chunk as servers really send it: nothing in it is certain. */
export interface Piece {
  choices?: {
    delta?: {
      content?: string | null;
      refusal?: string | null;
      reasoning_content?: string | null;
      reasoning?: string | null;
      tool_calls?: ToolCallPiece[] | null;
      /** One call, in the form before `tool_calls`. */
      function_call?: ToolCallPiece['function'];
    };
    finish_reason?: string | null;
  }[];
  usage?: { prompt_tokens?: number; completion_tokens?: number } | null;
  error?: unknown;
}

type Delta = NonNullable<Piece['choices']>[number]['delta'];

/** The state of an answer while it streams. */
interface Answer {
  calls: ReturnType<typeof toolCallCollector>;
  reason: string | undefined;
  usage: Usage;
}

/** A connection that breaks after the finish reason has lost nothing but the usage. */
export async function* readCompletion(
  who: string,
  pieces: AsyncIterable<Piece>,
  known?: KnownCalls,
): AsyncGenerator<ModelEvent> {
  const usage: Usage = { inputTokens: null, outputTokens: null };
  const answer: Answer = { calls: toolCallCollector(known), reason: undefined, usage };
  try {
    for await (const piece of pieces) yield* readPiece(who, answer, piece);
  } catch (error) {
    if (answer.reason === undefined) throw error;
  }
  const { calls, reason } = answer;
  if (reason === undefined)
    throw new UpstreamFailed('model_interrupted', `${who} stopped in the middle of its answer. Try again.`);
  const told = toReason(reason);
  // Arguments that were cut off are no call.
  const called = calls.size > 0 && told !== 'length' && told !== 'content-filter';
  if (called) yield* calls.finish();
  yield { type: 'finish', reason: called ? 'tool-calls' : told, usage: answer.usage };
}

/** Gemini's errors are a list of one. */
function* readPiece(who: string, answer: Answer, piece: Piece): Iterable<ModelEvent> {
  if (Array.isArray(piece) || piece.error)
    throw new UpstreamFailed('model_interrupted', `${who} stopped with an error. Try again.`);
  answer.usage = readUsage(piece) ?? answer.usage;
  const choice = piece.choices?.[0];
  yield* readDelta(choice?.delta);
  for (const call of callPieces(choice?.delta)) yield* answer.calls.add(call);
  answer.reason = choice?.finish_reason ?? answer.reason;
}

function callPieces(delta: Delta): ToolCallPiece[] {
  const { tool_calls: calls, function_call: called } = delta ?? {};
  if (Array.isArray(calls)) return calls;
  return called ? [{ function: called }] : [];
}

function readUsage({ usage }: Piece): Usage | undefined {
  if (!usage) return undefined;
  return { inputTokens: usage.prompt_tokens ?? null, outputTokens: usage.completion_tokens ?? null };
}

function* readDelta(delta: Delta): Iterable<ModelEvent> {
  const reasoning = delta?.reasoning_content ?? delta?.reasoning;
  if (reasoning) yield { type: 'reasoning', text: reasoning };
  const text = delta?.content || delta?.refusal;
  if (text) yield { type: 'text', text };
}

/** The calls tell whether tools were called: Gemini ends those answers with `stop`. */
function toReason(reason: string): FinishReason {
  if (reason === 'stop' || reason === 'length') return reason;
  return reason === 'content_filter' ? 'content-filter' : 'other';
}
