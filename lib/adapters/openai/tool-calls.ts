import { randomUUID } from 'node:crypto';
import type { ModelEvent, ModelMessage, ToolCall } from '../../ports/language-model.ts';
import { endOfJson, isBoundedJson } from '../../validation/bounded-json.ts';

/**
 * A chunk of a tool call. Any field may be missing: OpenAI sends ID and name once and the arguments in
 * chunks; Gemini omits the index and sends everything at once or in chunks; some versions of llama.cpp send
 * the arguments as an object.
 */
export interface ToolCallPiece {
  index?: number | null;
  id?: string | null;
  function?: { name?: string | null; arguments?: unknown } | null;
  /** Gemini's signatures, which the next request must contain. */
  extra_content?: Record<string, unknown>;
}

interface OpenCall extends ToolCall {
  index: number | undefined;
  /** The server's ID for the call. An earlier answer may have used the same ID. */
  sentId: string | undefined;
  isTold: boolean;
  /** True if the arguments end with a closing brace. */
  isClosed: boolean;
}

/** Maximum calls in one text of arguments. */
const MAX_JOINED = 20;
/**
 * Maximum calls in progress. Further chunks belong to the last one. An answer with a fifth of this number is
 * refused.
 */
const MAX_OPEN = 1000;

/** Distinguishes an answer's calls by names and IDs. */
export interface KnownCalls {
  /** Names of the tools that the request offered. */
  names: string[];
  /** IDs of the calls of earlier answers. */
  ids: Set<string>;
}

export function knownCalls({ messages, tools = [] }: KnownIn): KnownCalls {
  const made = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  return { names: tools.map(({ name }) => name), ids: new Set(made.map(({ id }) => id)) };
}

interface KnownIn {
  messages: ModelMessage[];
  tools?: { name: string }[];
}

/** Assembles tool calls from their chunks. */
export function toolCallCollector({ names, ids }: KnownCalls = { names: [], ids: new Set() }) {
  const calls: OpenCall[] = [];

  function begin({ id, index }: ToolCallPiece): OpenCall {
    // IDs are compared with those of earlier answers in the conversation, because some servers count from 0
    // in each answer.
    const isNew = id && !ids.has(id) && !calls.some((call) => call.id === id);
    const call: OpenCall = {
      ...{ id: isNew ? id : newCallId(), name: '', input: '', isTold: false, isClosed: false },
      ...{ index: index ?? undefined, sentId: id || undefined },
    };
    calls.push(call);
    return call;
  }

  return {
    *add(piece: ToolCallPiece): Iterable<ModelEvent> {
      const name = offeredName(names, piece.function?.name ?? '');
      const call = findCall(calls, piece, name, names) ?? begin(piece);
      if (piece.extra_content !== undefined) call.echo = { extra_content: piece.extra_content };
      addName(call, name, names);
      const text = toText(piece.function?.arguments);
      if (text !== '' || !isBeginning(names, call.name)) yield* tellName(call);
      yield* addInput(call, text);
    },
    /** Yields all complete calls; a call without arguments has `{}`. */
    *finish(): Iterable<ModelEvent> {
      for (const { id, name, input, echo } of calls)
        for (const [at, each] of splitArguments(input).entries()) {
          const call = { id: at === 0 ? id : newCallId(), name, input: each, ...(echo && { echo }) };
          yield { type: 'tool-call', call };
        }
    },
    get size() {
      return calls.length;
    },
  };
}

/**
 * Finds a chunk's call by its index, or by its ID if there is no index. Calls with the same index are
 * distinguished by their IDs, or by their names if they have no IDs.
 */
function findCall(
  calls: OpenCall[],
  piece: ToolCallPiece,
  name: string,
  names: string[],
): OpenCall | undefined {
  const { index, id } = piece;
  const there = typeof index === 'number' ? calls.filter((call) => call.index === index) : calls;
  const haveIds = typeof index !== 'number' || there.some(({ sentId }) => sentId !== undefined);
  const known = id && haveIds ? there.findLast(({ sentId }) => sentId === id) : there.at(-1);
  if (known !== undefined && continuesName(known, name, names)) return known;
  if (known !== undefined && beginsNext(known, piece, name) && calls.length < MAX_OPEN) return undefined;
  return known ?? (calls.length < MAX_OPEN ? undefined : calls.at(-1));
}

/**
 * Returns whether a chunk starts another call: it has another name, or the same name after complete
 * arguments. Some servers repeat the name in each chunk.
 */
function beginsNext(known: OpenCall, { id, function: called }: ToolCallPiece, name: string): boolean {
  if (name === '' || known.name === '') return false;
  if (name !== known.name) return true;
  const isSame = id && id === known.sentId;
  return !isSame && known.isClosed && toText(called?.arguments).trimStart().startsWith('{');
}

/** Returns whether a name may be incomplete. Some servers send it in chunks. */
function isBeginning(names: string[], name: string): boolean {
  return !names.includes(name) && names.some((each) => each.startsWith(name));
}

function continuesName({ name: begun, input }: OpenCall, name: string, names: string[]): boolean {
  const whole = begun + name;
  const isPart = begun !== '' && name !== '' && input === '' && isBeginning(names, begun);
  return isPart && (names.includes(whole) || isBeginning(names, whole));
}

function addName(call: OpenCall, name: string, names: string[]): void {
  if (continuesName(call, name, names)) call.name += name;
  else call.name ||= name;
}

function* tellName(call: OpenCall): Iterable<ModelEvent> {
  if (call.isTold || call.name === '') return;
  call.isTold = true;
  yield { type: 'tool-call-start', id: call.id, name: call.name };
}

function* addInput(call: OpenCall, text: string): Iterable<ModelEvent> {
  if (text === '') return;
  call.input += text;
  if (text.trim() !== '') call.isClosed = text.trimEnd().endsWith('}');
  if (call.isTold) yield { type: 'tool-call-delta', id: call.id, text };
}

export function newCallId(): string {
  return `call_${randomUUID()}`;
}

function toText(given: unknown): string {
  if (typeof given === 'string') return given;
  return given === undefined || given === null ? '' : JSON.stringify(given);
}

/**
 * Returns the offered tool that a name means: the only one with the same letters, as in `Read_File`, or with
 * a word of the name, as in `functions.grep` or `grep<|channel|>json`. Any other name is returned unchanged;
 * the run rejects it and lists the existing tools.
 */
export function offeredName(names: string[], written: string): string {
  if (names.includes(written)) return written;
  const words = new Set(written.slice(0, 200).split(/[^\w-]+/));
  const letters = lettersOf(written.slice(0, 200));
  const same = names.filter((each) => letters !== '' && lettersOf(each) === letters);
  const [name, second] = same.length > 0 ? same : names.filter((each) => words.has(each));
  return name !== undefined && second === undefined ? name : written;
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/**
 * Splits text into the arguments of each call. Several objects in a row are several calls. They may be in a
 * JSON string.
 */
export function splitArguments(input: string): string[] {
  const text = unquote(input.trim());
  if (text === '' || text === 'null') return ['{}'];
  const found: string[] = [];
  for (let at = 0; found.length < MAX_JOINED && text.charAt(at) === '{'; ) {
    const end = endOfJson(text, at);
    if (end === -1) break;
    found.push(text.slice(at, end));
    if (end === text.length) return found;
    at = end + (/^[\s,;]*/.exec(text.slice(end))?.[0].length ?? 0);
  }
  return [text];
}

/** Returns the JSON of an object that a string contains. */
function unquote(text: string): string {
  if (!text.startsWith('"') || !isBoundedJson(text)) return text;
  try {
    const inner: unknown = JSON.parse(text);
    return typeof inner === 'string' && inner.trim().startsWith('{') ? inner.trim() : text;
  } catch {
    return text;
  }
}
