import { LRUCache } from 'lru-cache';
import { WindowExceeded } from '../../errors.ts';
import type { ContextWindow, LanguageModel, ModelEvent, ModelRequest } from '../../ports/language-model.ts';
import { boundTokens, leastTokens, mostTokens } from '../../text/count-tokens.ts';

/** How long a process uses what a server told. A server may be restarted with another window. */
const TOLD_MS = 5 * 60_000;
/** The same for a guess, and for a server that told nothing. */
const UNTOLD_MS = 30_000;
/** How long what a refusal told counts. */
const REFUSED_MS = 10 * 60_000;
/** Models of which something is remembered. */
const MAX_KNOWN = 200;
/** No window is smaller. */
const LEAST_WINDOW = 256;

export interface WindowOptions {
  /** Names the model and its server. */
  key: string;
  /** Set in the settings. */
  contextTokens?: number | undefined;
  /** Of the list of hosted models. */
  listed?: number | undefined;
  /** Asks the server; absent: a provider that tells nothing. Never throws. */
  ask?: Ask | undefined;
}

type Ask = () => Promise<{ contextTokens: number; isGuess?: true } | undefined>;

interface Known {
  told?: { contextTokens: number; isGuess?: true } | undefined;
  toldUntil: number;
  asking?: Promise<void> | undefined;
  learned?: { contextTokens: number; until: number };
}

const known = new LRUCache<string, Known>({ max: MAX_KNOWN });

/**
 * The same model, which knows its window: as the settings say, else as its server tells, else as a refusal told, else as listed. A refusal
 * that names less than the settings or the server is believed for a while. Answers whose prompt the server cut are marked.
 */
export function withKnownWindow(model: LanguageModel, options: WindowOptions): LanguageModel {
  return {
    ...model,
    readWindow: () => readWindow(options),
    stream: (request) => watchWindow(model, request, options),
  };
}

async function readWindow({
  key,
  contextTokens,
  listed,
  ask,
}: WindowOptions): Promise<ContextWindow | undefined> {
  const state = stateOf(key);
  if (contextTokens === undefined && ask !== undefined) await ensureTold(state, ask);
  const { told, learned } = state;
  const refused = learned !== undefined && performance.now() < learned.until ? learned : undefined;
  const known: (ContextWindow | undefined)[] = [
    sized(contextTokens, 'settings'),
    sized(told?.contextTokens, 'server'),
    sized(refused?.contextTokens, 'refusal'),
    sized(listed, 'list'),
  ];
  const first = known.find((window) => window !== undefined);
  const isLess = refused !== undefined && refused.contextTokens < (first?.contextTokens ?? 0);
  return isLess ? { contextTokens: refused.contextTokens, from: 'refusal' } : first;
}

function sized(contextTokens: number | undefined, from: ContextWindow['from']): ContextWindow | undefined {
  return contextTokens === undefined ? undefined : { contextTokens, from };
}

/** Waits for the server once. Later calls use what is known, while the server is asked again. */
async function ensureTold(state: Known, ask: Ask): Promise<void> {
  const isFirst = state.toldUntil === 0;
  if (performance.now() > state.toldUntil) refresh(state, ask);
  if (isFirst) await state.asking;
}

function stateOf(key: string): Known {
  const state = known.get(key) ?? { toldUntil: 0 };
  known.set(key, state);
  return state;
}

function refresh(state: Known, ask: Ask): void {
  state.asking ??= ask()
    .then((told) => {
      state.told = told ?? state.told;
      const isSure = told !== undefined && told.isGuess === undefined;
      state.toldUntil = performance.now() + (isSure ? TOLD_MS : UNTOLD_MS);
    })
    .finally(() => {
      state.asking = undefined;
    });
}

/** Learns from a refusal, from a cut prompt, and, of a model that wasn't loaded before, from its server after the first event. */
async function* watchWindow(
  model: LanguageModel,
  request: ModelRequest,
  options: WindowOptions,
): AsyncGenerator<ModelEvent> {
  const { key, ask } = options;
  const state = stateOf(key);
  let wasAsked = false;
  try {
    for await (const event of model.stream(await limitAnswer(request, options))) {
      if (!wasAsked && state.told?.isGuess && ask !== undefined) refresh(state, ask);
      wasAsked ||= event.type !== 'waiting';
      yield event.type === 'finish' && ask !== undefined ? markCut(state, request, event) : event;
    }
  } catch (error) {
    // A refusal without a figure: two thirds leave room for half of it and for an answer.
    if (error instanceof WindowExceeded)
      learn(state, error.contextTokens ?? Math.floor((2 / 3) * mostTokens(textOf(request))));
    throw error;
  }
}

/** In smaller windows of own servers, what is left limits each answer. */
const SMALL_WINDOW = 32_768;

/** Some servers refuse a prompt that leaves no room for the answer that may follow. */
async function limitAnswer(request: ModelRequest, options: WindowOptions): Promise<ModelRequest> {
  const { maxOutputTokens } = request;
  if (maxOutputTokens === undefined && options.ask === undefined) return request;
  const { contextTokens = Number.POSITIVE_INFINITY } = (await readWindow(options)) ?? {};
  if (maxOutputTokens === undefined && contextTokens > SMALL_WINDOW) return request;
  const text = textOf(request);
  if (maxOutputTokens !== undefined && boundTokens(text) + maxOutputTokens <= contextTokens) return request;
  const left = Math.max(contextTokens - mostTokens(text), Math.floor(contextTokens / 8));
  return { ...request, maxOutputTokens: Math.min(maxOutputTokens ?? left, left) };
}

function learn(state: Known, contextTokens: number): void {
  state.learned = {
    contextTokens: Math.max(contextTokens, LEAST_WINDOW),
    until: performance.now() + REFUSED_MS,
  };
}

type Finish = Extract<ModelEvent, { type: 'finish' }>;

/** Some servers, such as Ollama, cut what doesn't fit and say so only by the tokens that they read. */
function markCut(state: Known, request: ModelRequest, event: Finish): Finish {
  const { inputTokens } = event.usage;
  if (inputTokens === null || inputTokens < LEAST_WINDOW) return event;
  const text = textOf(request);
  const isWhole = inputTokens % 1024 === 0 || inputTokens === state.told?.contextTokens; // a window, to the token
  if (isWhole && inputTokens < mostTokens(text)) learn(state, inputTokens);
  else if (inputTokens >= 0.9 * leastTokens(text)) return event;
  return { ...event, promptCut: true };
}

function textOf({ system, messages, tools = [] }: ModelRequest): string {
  const said = messages.map((message) => {
    if (message.role === 'user')
      return [...(message.attachments ?? []).map(({ text }) => text), message.content].join('\n');
    const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
    return [message.content, ...calls.map(({ name, input }) => `${name} ${input}`)].join('\n');
  });
  const offered = tools.length === 0 ? '' : JSON.stringify(tools);
  return [system, ...said, offered].join('\n');
}
