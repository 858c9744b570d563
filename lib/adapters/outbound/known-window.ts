import { LRUCache } from 'lru-cache';
import { WindowExceeded } from '../../errors.ts';
import type { ContextWindow, LanguageModel, ModelEvent, ModelRequest } from '../../ports/language-model.ts';
import { boundTokens, leastTokens, mostTokens } from '../../text/count-tokens.ts';

/**
 * Milliseconds for which a server's report counts, because the server may be restarted with another window.
 */
const TOLD_MS = 5 * 60_000;
/** Milliseconds for which a guess counts, or the lack of a report. */
const UNTOLD_MS = 30_000;
/**
 * Milliseconds for which a window that a refusal or a truncated prompt showed counts, while the server and
 * the settings report the same values.
 */
const LEARNED_MS = 10 * 60_000;
/** Maximum number of models to remember. */
const MAX_KNOWN = 200;
/** In tokens. No window is smaller. */
const LEAST_WINDOW = 256;

export interface WindowOptions {
  /** Identifies the model and its server. */
  key: string;
  /** The window in the settings. */
  contextTokens?: number | undefined;
  /** The window in the list of hosted models. */
  listed?: number | undefined;
  /** Asks the server. Absent if the provider doesn't report windows. Never throws. */
  ask?: Ask | undefined;
}

type Ask = () => Promise<{ contextTokens: number; isGuess?: true } | undefined>;

interface Known {
  told?: { contextTokens: number; isGuess?: true } | undefined;
  toldUntil: number;
  asking?: Promise<void> | undefined;
  learned?: ContextWindow & { from: 'refusal' | 'cut'; until: number; besides: string };
  /**
   * The number of tokens that the server read of the last prompt, if it may be the window, with that prompt's
   * length.
   */
  suspect?: { inputTokens: number; length: number } | undefined;
}

const known = new LRUCache<string, Known>({ max: MAX_KNOWN });

/** Forgets a model's window, because its server may have another one now. */
export function forgetWindow(key: string): void {
  known.delete(key);
}

/**
 * Returns the model with its window: from the settings, otherwise from its server, otherwise from a refusal
 * or a truncated prompt, otherwise from the list. If a refusal or a truncated prompt shows a smaller window
 * than the settings or the server state, the smaller one is used for a while. Marks answers whose prompt the
 * server truncated.
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
  const learned = learnedWindow(state, contextTokens);
  const known: (ContextWindow | undefined)[] = [
    sized(contextTokens, 'settings'),
    sized(state.told?.contextTokens, 'server'),
    learned,
    sized(listed, 'list'),
  ];
  const first = known.find((window) => window !== undefined);
  return learned !== undefined && learned.contextTokens < (first?.contextTokens ?? 0) ? learned : first;
}

function learnedWindow(state: Known, contextTokens: number | undefined): ContextWindow | undefined {
  const { learned } = state;
  if (learned === undefined || performance.now() > learned.until) return undefined;
  const isOld = learned.besides !== besides(state, contextTokens);
  return isOld ? undefined : sized(learned.contextTokens, learned.from);
}

/**
 * Returns the values that were known when a window was learned. A change means that the server was restarted,
 * or that someone set another value.
 */
function besides({ told }: Known, contextTokens: number | undefined): string {
  return `${told?.contextTokens} ${contextTokens}`;
}

function sized(contextTokens: number | undefined, from: ContextWindow['from']): ContextWindow | undefined {
  return contextTokens === undefined ? undefined : { contextTokens, from };
}

/**
 * Waits for the server the first time, and if its window may have grown. Other calls use known values while
 * the server is asked again.
 */
async function ensureTold(state: Known, ask: Ask): Promise<void> {
  const isAwaited = state.toldUntil === 0 || state.learned !== undefined;
  if (performance.now() > state.toldUntil) refresh(state, ask);
  if (isAwaited) await state.asking;
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
      const isSure = told !== undefined && told.isGuess === undefined && state.learned === undefined;
      state.toldUntil = performance.now() + (isSure ? TOLD_MS : UNTOLD_MS);
    })
    .finally(() => {
      state.asking = undefined;
    });
}

/**
 * Learns the window from a refusal, from a truncated prompt, or from the server. A server that loads the
 * model first is asked after the first event.
 */
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
      yield event.type === 'finish' && ask !== undefined ? markCut(state, request, event, options) : event;
    }
  } catch (error) {
    // The window after a refusal without a number. Two thirds of the prompt have room for half of it and for
    // an answer.
    if (error instanceof WindowExceeded)
      learn(state, options, {
        contextTokens: error.contextTokens ?? Math.floor((2 / 3) * mostTokens(promptText(request))),
        from: 'refusal',
      });
    throw error;
  }
}

/** In tokens. In a smaller window of a self-hosted server, the remaining tokens limit each answer. */
const SMALL_WINDOW = 32_768;

/** Limits the answer, because some servers refuse a prompt that has no room left for the maximum answer. */
async function limitAnswer(request: ModelRequest, options: WindowOptions): Promise<ModelRequest> {
  const { maxOutputTokens } = request;
  if (maxOutputTokens === undefined && options.ask === undefined) return request;
  const { contextTokens = Number.POSITIVE_INFINITY } = (await readWindow(options)) ?? {};
  if (maxOutputTokens === undefined && contextTokens > SMALL_WINDOW) return request;
  const text = promptText(request);
  if (maxOutputTokens !== undefined && boundTokens(text) + maxOutputTokens <= contextTokens) return request;
  const left = Math.max(contextTokens - mostTokens(text), Math.floor(contextTokens / 8));
  return { ...request, maxOutputTokens: Math.min(maxOutputTokens ?? left, left) };
}

/** Stores a learned window. From then on, the server is asked more often. */
function learn(
  state: Known,
  options: WindowOptions,
  { contextTokens, from }: Pick<NonNullable<Known['learned']>, 'contextTokens' | 'from'>,
): void {
  state.learned = {
    contextTokens: Math.max(contextTokens, LEAST_WINDOW),
    from,
    until: performance.now() + LEARNED_MS,
    besides: besides(state, options.contextTokens),
  };
  state.toldUntil = Math.min(state.toldUntil, performance.now() + UNTOLD_MS);
}

type Finish = Extract<ModelEvent, { type: 'finish' }>;

/**
 * Marks a truncated prompt. Some servers, such as Ollama, truncate a prompt that is too long, and only the
 * number of tokens that they read shows it.
 */
function markCut(state: Known, request: ModelRequest, event: Finish, options: WindowOptions): Finish {
  const { inputTokens } = event.usage;
  // Some servers report a value that isn't a number.
  if (typeof inputTokens !== 'number' || inputTokens < LEAST_WINDOW) return event;
  const text = promptText(request);
  if (isWindow(state, inputTokens, text)) learn(state, options, { contextTokens: inputTokens, from: 'cut' });
  else if (!isUsualWindow(inputTokens, text) && inputTokens >= 0.9 * leastTokens(text)) return event;
  return { ...event, promptCut: true };
}

/**
 * Returns whether the number of tokens is a typical window size (a power of two), below the likely number of
 * tokens in the text. One prompt in thousands has such a number by chance: good enough for a notice, but not
 * for shortening the next prompt.
 */
function isUsualWindow(inputTokens: number, text: string): boolean {
  return Number.isInteger(Math.log2(inputTokens)) && inputTokens < 0.85 * mostTokens(text);
}

/**
 * Returns whether the number of tokens read is that of a window, and certainly or probably lower than the
 * prompt's. A single multiple of 1,024 may be chance, so the prompt must then have more tokens by any
 * tokenizer.
 */
function isWindow(state: Known, inputTokens: number, text: string): boolean {
  const { told, suspect } = state;
  const isRound = inputTokens % 1024 === 0;
  state.suspect = isRound ? { inputTokens, length: text.length } : undefined;
  const isTold = inputTokens === told?.contextTokens && told.isGuess === undefined;
  const isSame = isRound && suspect?.inputTokens === inputTokens && suspect.length !== text.length;
  if (isTold || isSame) return inputTokens < mostTokens(text);
  return isRound && inputTokens < leastTokens(text);
}

/** Returns the whole text of a prompt. */
export function promptText({ system, messages, tools = [] }: ModelRequest): string {
  const said = messages.map((message) => {
    if (message.role === 'user')
      return [...(message.attachments ?? []).map(({ text }) => text), message.content].join('\n');
    const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
    return [message.content, ...calls.map(({ name, input }) => `${name} ${input}`)].join('\n');
  });
  const offered = tools.length === 0 ? '' : JSON.stringify(tools);
  return [system, ...said, offered].join('\n');
}
