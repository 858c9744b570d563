import { randomUUID } from 'node:crypto';
import type { ModelEvent, ModelMessage, ToolCall } from '../../ports/language-model.ts';
import { endOfJson, isBoundedJson } from '../../validation/bounded-json.ts';

/**
 * A piece of a tool call as it comes. Every field may be missing: OpenAI sends ID and name once and the arguments in
 * pieces, Gemini omits the index and sends all at once or in pieces, llama.cpp has sent the arguments as an object.
 */
export interface ToolCallPiece {
  index?: number | null;
  id?: string | null;
  function?: { name?: string | null; arguments?: unknown } | null;
  /** Gemini's signatures, which it wants to see again. */
  extra_content?: Record<string, unknown>;
}

interface OpenCall extends ToolCall {
  index: number | undefined;
  /** The ID that the server sent, which may be that of a call of an earlier answer. */
  sentId: string | undefined;
  isTold: boolean;
  /** Its arguments end with a closing brace. */
  isClosed: boolean;
}

/** Calls that one text of arguments may hold. */
const MAX_JOINED = 20;
/** Further pieces belong to the last call: an answer with a fifth of them is refused. */
const MAX_OPEN = 1000;

/** Names and IDs that tell the calls of an answer apart. */
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

/** Puts tool calls together from their pieces. */
export function toolCallCollector({ names, ids }: KnownCalls = { names: [], ids: new Set() }) {
  const calls: OpenCall[] = [];

  function begin({ id, index }: ToolCallPiece): OpenCall {
    // A conversation holds the calls of many answers, and some servers count them from 0 in each.
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
    /** All calls, complete; a call without arguments has `{}`. */
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
 * Finds the call by its index, or by its id where there is no index; ids also tell apart several calls under one index, and names
 * do where there are no ids.
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

/** Another name begins another call. So does the same one after complete arguments: servers also repeat it in each piece. */
function beginsNext(known: OpenCall, { id, function: called }: ToolCallPiece, name: string): boolean {
  if (name === '' || known.name === '') return false;
  if (name !== known.name) return true;
  const isSame = id && id === known.sentId;
  return !isSame && known.isClosed && toText(called?.arguments).trimStart().startsWith('{');
}

/** Whether a name isn't whole yet: some servers send it in pieces. */
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
 * The offered tool that a written name means: the only one with the same letters, as in `Read_File`, or that is a word of it, as in
 * `functions.grep` or `grep<|channel|>json`. Other names stay: the run refuses them, and says which tools there are.
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

/** The arguments of each call that one text holds: objects after one another are several calls, and a string may contain them. */
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

/** A string that contains the JSON of an object. */
function unquote(text: string): string {
  if (!text.startsWith('"') || !isBoundedJson(text)) return text;
  try {
    const inner: unknown = JSON.parse(text);
    return typeof inner === 'string' && inner.trim().startsWith('{') ? inner.trim() : text;
  } catch {
    return text;
  }
}
