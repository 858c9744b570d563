import { randomUUID } from 'node:crypto';
import type { ModelEvent, ToolCall } from '../../ports/language-model.ts';

/**
 * A piece of a tool call as it comes. Every field may be missing: OpenAI sends ID and name once and the arguments in
 * pieces, Gemini omits the index and sends all at once or in pieces.
 */
export interface ToolCallPiece {
  index?: number;
  id?: string | null;
  function?: { name?: string | null; arguments?: string | null };
  /** Gemini's signatures, which it wants to see again. */
  extra_content?: Record<string, unknown>;
}

interface OpenCall extends ToolCall {
  index: number | undefined;
}

/** Puts tool calls together from their pieces. */
export function toolCallCollector() {
  const calls: OpenCall[] = [];

  /**
   * Finds the call by its index, or by its id where there is no index; ids also tell apart several calls under one
   * index.
   */
  function find({ index, id }: ToolCallPiece): OpenCall | undefined {
    const last = calls.at(-1);
    if (index === undefined) return id ? calls.find((call) => call.id === id) : last;
    const sameIndex = calls.filter((call) => call.index === index);
    return id && sameIndex.length > 0 ? sameIndex.find((call) => call.id === id) : sameIndex.at(-1);
  }

  function begin(piece: ToolCallPiece): OpenCall {
    const id = piece.id || `call_${randomUUID()}`; // a conversation holds the calls of many answers
    const call: OpenCall = { id, name: piece.function?.name ?? '', input: '', index: piece.index };
    calls.push(call);
    return call;
  }

  return {
    *add(piece: ToolCallPiece): Iterable<ModelEvent> {
      const known = find(piece);
      const call = known ?? begin(piece);
      if (known === undefined) yield { type: 'tool-call-start', id: call.id, name: call.name };
      if (piece.extra_content !== undefined) call.echo = { extra_content: piece.extra_content };
      const text = piece.function?.arguments ?? '';
      if (text === '') return;
      call.input += text;
      yield { type: 'tool-call-delta', id: call.id, text };
    },
    /** All calls, complete; a call without arguments has `{}`. */
    *finish(): Iterable<ModelEvent> {
      for (const { index: _, ...call } of calls) {
        yield { type: 'tool-call', call: { ...call, input: call.input || '{}' } };
      }
    },
    get size() {
      return calls.length;
    },
  };
}
