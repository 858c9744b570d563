import type { ModelEvent, ModelRequest, ModelTool, ToolCall } from '../../ports/language-model.ts';
import { endOfJson, isBoundedJson } from '../../validation/bounded-json.ts';
import { isQuoted, type WrittenCall } from './quoted-call.ts';
import { newCallId, offeredName, splitArguments } from './tool-calls.ts';

/** Maximum characters of an answer that are held back because they may be a call. */
const MAX_HELD = 200_000;
const MAX_CALLS = 20;
/** Number of characters that show whether an answer starts like a call. */
const HEAD = 80;

const NAME_KEYS = ['name', 'tool', 'tool_name', 'function'];
const INPUT_KEYS = ['arguments', 'parameters', 'args', 'input'];
const OTHER_KEYS = ['id', 'type', 'tool_call_id'];

/**
 * Matches the tags and bar tokens with which chat templates enclose calls, and which name tools or functions.
 */
const TAG =
  /<\/?[|｜]?\/?(?![^>]*(?:response|result|output))[\w▁:]*(?:tool|function_call|python|action|invoke)[\w▁:]*[|｜]?>/;
const MARK = new RegExp(`${TAG.source}|\\[/?(?:TOOL_CALLS|ARGS)\\]|functools(?=\\s*\\[)`, 'iy');
const FENCE = /```\w*/y;
/** `<function=grep>…</function>`, or `<invoke name="grep">…</invoke>`. */
const ELEMENT = /<(function|invoke)(?:=|\s+name=")([\w.:-]{1,64})"?>\s*/y;
const PARAMETER =
  /<parameter(?:=|\s+name=")([\w.-]{1,64})"?>([\s\S]*?)<\/parameter>\s*|<arg_key>([\w.-]{1,64})<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>\s*/y;
const NAME = /[\w.:-]{1,100}/y;
const BETWEEN = /[\s;,]*/y;

const OPENS = new RegExp(
  `^\\s*(?:\`\`\`\\w*\\s*)?(?:${MARK.source}|<(?:function|invoke)\\b|[\\[{\\s]*"(?:tool_calls|${[...NAME_KEYS, ...INPUT_KEYS, ...OTHER_KEYS].join('|')})")`,
  'i',
);
const MAY_OPEN = /^\s*(?:[<{[`]|f(?:u(?:n|$)|$)|$)/;
/** After other text, a call is a line that starts exactly in its model's notation. */
const OPENS_LINE = new RegExp(
  `^ {0,3}(?:(?!</)${TAG.source}|\\[TOOL_CALLS\\]|<(?:function=|invoke\\s))`,
  'i',
);
const MAY_OPEN_LINE = /^ {0,3}(?:[<[][^\n]*)?$/;
/** Matches a line that begins or ends a code block. */
const FENCE_LINE = /^[ \t]*(?:```|~~~)/;

/**
 * Yields the events of an answer, converting text that consists only of calls to offered tools into those
 * calls. Other text may precede calls in the notation of the model's template, but not follow or separate
 * them. A call that is quoted from the files or the request stays text, so an answer that repeats a file
 * calls nothing. All other rules and approvals apply to the calls.
 */
export async function* readTextCalls(
  request: ModelRequest,
  events: AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent> {
  let held = request.tools?.length ? holdText() : undefined;
  try {
    for await (const event of events) {
      if (event.type === 'text-was-reasoning') {
        yield* release(held);
        held &&= holdText(); // a call may follow the reasoning as text
      }
      if (held === undefined || BESIDE.includes(event.type)) yield event;
      else if (event.type === 'text') yield* textEvent(held.add(event.text));
      else {
        yield* endHeld(request, held, event);
        held = undefined;
      }
    }
  } catch (error) {
    yield* release(held);
    throw error;
  }
}

/** Events that may arrive while text is held back. */
const BESIDE: ModelEvent['type'][] = ['reasoning', 'text-was-reasoning', 'waiting'];

type Held = ReturnType<typeof holdText>;

function* release(held: Held | undefined): Iterable<ModelEvent> {
  if (held !== undefined) yield* textEvent(held.take());
}

function* textEvent(text: string): Iterable<ModelEvent> {
  if (text !== '') yield { type: 'text', text };
}

/** Holds back text that may be a call, at the start of the answer or of a line. */
function holdText() {
  let text = '';
  /** The current visible line; undefined before the first one. */
  let line: string | undefined;
  let isInCode = false;
  const mayBeCall = () => {
    const head = text.slice(0, HEAD);
    if (line === undefined) return head.length < HEAD ? MAY_OPEN.test(head) : OPENS.test(head);
    return line === '' && (OPENS_LINE.test(head) || (head.length < HEAD && MAY_OPEN_LINE.test(head)));
  };
  const show = (piece: string) => {
    line = ((line ?? '') + piece).slice(0, HEAD);
    if (!piece.endsWith('\n')) return;
    if (FENCE_LINE.test(line)) isInCode = !isInCode;
    line = '';
  };
  return {
    /** Adds text. Returns what can't be part of a call. */
    add(piece: string): string {
      let shown = '';
      text += piece;
      while (text !== '' && (text.length > MAX_HELD || !mayBeCall())) {
        const end = text.indexOf('\n') + 1 || text.length;
        show(text.slice(0, end));
        shown += text.slice(0, end);
        text = text.slice(end);
      }
      return shown;
    },
    take(): string {
      const rest = text;
      text = '';
      return rest;
    },
    /** Returns whether the text so far ends inside a code block, whose contents are only shown. */
    isInCode: () => isInCode,
  };
}

/** Yields the held text, or its calls, and then the event that ended it. */
function* endHeld(request: ModelRequest, held: Held, event: ModelEvent): Iterable<ModelEvent> {
  const isWhole = event.type === 'finish' && event.reason === 'stop' && !held.isInCode();
  const text = held.take();
  const calls = isWhole ? callsIn(text, request) : [];
  if (calls.length === 0) yield* textEvent(text);
  for (const call of calls) yield { type: 'tool-call', call };
  yield event.type === 'finish' && calls.length > 0 ? { ...event, reason: 'tool-calls' } : event;
}

/** Returns the calls if the text consists of nothing else; otherwise, an empty list. */
function callsIn(text: string, request: ModelRequest): ToolCall[] {
  const found = parseCalls(text, request.tools ?? []) ?? [];
  if (found.length === 0 || isQuoted(found, request)) return [];
  return found.map(({ name, input }) => ({ id: newCallId(), name, input }));
}

/** Returns the calls; undefined for text that contains anything else. */
function parseCalls(text: string, tools: ModelTool[]): WrittenCall[] | undefined {
  const scan = scanner(text);
  const calls: WrittenCall[] = [];
  let isMarked = false;
  while (!scan.isAtEnd() && calls.length <= MAX_CALLS) {
    const start = scan.at;
    if (scan.match(MARK) !== null) isMarked = true;
    if (scan.at > start || scan.match(FENCE) !== null) continue;
    const found = scan.isAtJson() ? readValue(scan.json(), isMarked) : readWritten(scan, isMarked, tools);
    if (found === undefined) return undefined;
    const source = text.slice(start, scan.at);
    calls.push(...found.map(({ json, ...call }) => ({ ...call, sources: [source, ...(json ?? [])] })));
  }
  return calls.length > MAX_CALLS ? undefined : allOffered(calls, tools);
}

function allOffered(calls: WrittenCall[], tools: ModelTool[]): WrittenCall[] | undefined {
  const names = tools.map(({ name }) => name);
  const named = calls.map((call) => ({ ...call, name: offeredName(names, call.name) }));
  return named.every(({ name }) => names.includes(name)) ? named : undefined;
}

type Scanner = ReturnType<typeof scanner>;

/** Reads a text once, from start to end. */
function scanner(text: string) {
  let at = 0;
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  const isAtEnd = () => {
    match(BETWEEN);
    return at >= text.length;
  };
  return {
    get at() {
      return at;
    },
    match,
    isAtEnd,
    skipMarks() {
      while (!isAtEnd() && (match(MARK) ?? match(FENCE)) !== null);
    },
    isAtJson: () => text[at] === '{' || text[at] === '[',
    /** Returns the next JSON value; undefined if it isn't valid, or too complex. */
    json(): unknown {
      const end = endOfJson(text, at);
      const json = text.slice(at, end);
      if (end === -1 || !isBoundedJson(json)) return undefined;
      at = end;
      return parse(json);
    },
  };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

interface Written extends Omit<WrittenCall, 'sources'> {
  /** The parsed value, as the only item of a list. */
  json?: [string];
}

/** Reads a list of calls, or a single call. */
function readValue(value: unknown, isMarked: boolean): Written[] | undefined {
  if (Array.isArray(value)) return readAll(value, isMarked);
  if (!isObject(value)) return undefined;
  const { tool_calls: list, function: inner, ...rest } = value;
  if (Array.isArray(list)) return Object.keys(value).length === 1 ? readAll(list, isMarked) : undefined;
  const call = readCall(isObject(inner) ? { ...rest, ...inner } : value, isMarked);
  return call && [{ ...call, json: [JSON.stringify(value)] }];
}

/** Reads an object with a name, arguments, and no unknown fields. After a mark, it may omit the arguments. */
function readCall(call: Record<string, unknown>, isMarked: boolean): Written | undefined {
  const nameKey = NAME_KEYS.find((key) => typeof call[key] === 'string');
  const inputKey = INPUT_KEYS.find((key) => key in call);
  const known = [nameKey, inputKey, ...OTHER_KEYS];
  const isCall = nameKey !== undefined && Object.keys(call).every((key) => known.includes(key));
  if (!isCall || (inputKey === undefined && !isMarked)) return undefined;
  const input = toInput(inputKey === undefined ? {} : call[inputKey]);
  return input === undefined ? undefined : { name: String(call[nameKey]), input };
}

function readAll(list: unknown[], isMarked: boolean): Written[] | undefined {
  const read = list.map((each) => (isObject(each) ? readValue(each, isMarked) : undefined));
  return read.every((each) => each !== undefined) ? read.flat() : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the arguments as JSON, given as an object or as its JSON. */
function toInput(given: unknown): string | undefined {
  if (typeof given !== 'string') return isObject(given ?? {}) ? JSON.stringify(given ?? {}) : undefined;
  const [input = '', another] = splitArguments(given);
  return another === undefined && isObject(parse(input)) ? input : undefined;
}

/** Reads a call as an element, or as a name with arguments after a mark. */
function readWritten(scan: Scanner, isMarked: boolean, tools: ModelTool[]): Written[] | undefined {
  const element = scan.match(ELEMENT);
  const name = element?.[2] ?? (isMarked ? scan.match(NAME)?.[0] : undefined);
  if (name === undefined) return undefined;
  // DeepSeek writes the kind of call before the name.
  if (name === 'function' && scan.match(MARK) !== null) return [];
  if (element === null) scan.skipMarks();
  const input = scan.isAtJson() ? toInput(scan.json()) : readParameters(scan, name, tools);
  if (element !== null && scan.match(new RegExp(`\\s*</${element[1]}>`, 'y')) === null) return undefined;
  return input === undefined ? undefined : [{ name, input }];
}

/**
 * Reads the parameters of an element, which are texts. A value that isn't text in the tool's schema is parsed
 * as JSON.
 */
function readParameters(scan: Scanner, name: string, tools: ModelTool[]): string | undefined {
  const schema = tools.find((tool) => tool.name === name)?.inputSchema as
    | { properties?: Record<string, { type?: unknown }> }
    | undefined;
  const entries: [string, unknown][] = [];
  for (let found = scan.match(PARAMETER); found !== null; found = scan.match(PARAMETER)) {
    const [, key = found[3] ?? '', value = found[4] ?? ''] = found;
    const text = value.replace(/^\n|\n$/g, '');
    const isText = schema?.properties?.[key]?.type === 'string';
    entries.push([key, isText ? text : (boundedValue(text) ?? text)]);
  }
  return JSON.stringify(Object.fromEntries(entries));
}

function boundedValue(text: string): unknown {
  return isBoundedJson(text) ? parse(text) : undefined;
}
