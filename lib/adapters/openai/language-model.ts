import type OpenAI from 'openai';
import { UpstreamFailed } from '../../errors.ts';
import type { LanguageModel, ModelEvent, ModelRequest, ProviderId } from '../../ports/language-model.ts';
import { toLine } from '../../text/one-line.ts';
import { isOwnServer, providerNameAt } from '../../text/vendor-names.ts';
import { isEventStream } from '../outbound/bounded-answer.ts';
import { boundedEvents } from '../outbound/bounded-events.ts';
import {
  type CallRules,
  callOptions,
  inTurn,
  type OwnServerSettings,
  ownServer,
  sendUntilTaken,
} from '../outbound/own-server.ts';
import { type Patience, patience } from '../outbound/patient-stream.ts';
import { providerFailure } from '../outbound/provider-failure.ts';
import { openWithinLimit } from '../outbound/rate-limit.ts';
import { readRefusal } from '../outbound/refusal.ts';
import { causeOf } from '../outbound/refusal-cause.ts';
import { parseJson } from '../outbound/response-bytes.ts';
import { thoughtSplitter } from '../outbound/split-thoughts.ts';
import { withCachedTokens } from './cached-tokens.ts';
import { listOpenaiModels, type OpenaiSettings, openaiClient } from './client.ts';
import { type CompletionBody, completionBody, optionsOf } from './completion-body.ts';
import { GEMINI_BASE_URL } from './gemini.ts';
import { type Piece, type ReadOptions, readCompletion } from './read-completion.ts';
import { type Option, optionsToDrop, refusedOptions, rememberRefused } from './refused-options.ts';
import { readTextCalls } from './text-calls.ts';
import { knownCalls } from './tool-calls.ts';

export interface OpenaiModelSettings extends OpenaiSettings, OwnServerSettings {
  sees?: boolean;
  /** The provider as callers name it; Gemini uses this adapter too. */
  provider: ProviderId;
  model: string;
  /** False for a model that can't call tools. The tools are then described as text. */
  callsTools?: boolean | undefined;
  /** The output limit for requests that set none. */
  maxOutputTokens?: number | undefined;
}

/**
 * The default output limit in tokens for a self-hosted server, which may have none. The stream ends here
 * after this many tokens. The request doesn't contain the limit, because a server with a small window would
 * reject it. The vendors' servers have their own limits.
 */
const MAX_OWN_TOKENS = 16_384;

/** A model that is reached through a chat-completions API: OpenAI, Gemini, or anything compatible. */
export function openaiLanguageModel(settings: OpenaiModelSettings): LanguageModel {
  const { provider, model, sees = false } = settings;
  return {
    ...{ provider, model, sees },
    ownServer: () => ownServer(settings),
    stream: (request) => inTurn(settings, request, (rules, own) => answerOnce(settings, rules, own)),
  };
}

async function* answerOnce(
  settings: OpenaiModelSettings,
  rules: CallRules,
  request: ModelRequest,
): AsyncGenerator<ModelEvent> {
  const who = providerNameAt(settings.provider, settings.baseUrl);
  const patient = patience(who, rules.limits, request.signal);
  const client = await openaiClient(settings);
  let hasBegun = false;
  try {
    const events = readAnswer(client, settings, request, { who, patient, rules });
    for await (const event of isOwnServer(settings) ? readTextCalls(request, events) : events) {
      hasBegun = true;
      yield event;
    }
    return;
  } catch (error) {
    request.signal?.throwIfAborted();
    if (hasBegun || !refusesSystem(settings, error)) {
      const failure = providerFailure(who, error, { ...settings, baseUrl: client.baseURL });
      throw failure.code === 'model_not_found' ? await nameModels(failure, who, settings) : failure;
    }
  }
  yield* answerOnce(settings, rules, request);
}

/**
 * Returns whether a server rejects the system message; later requests then have none. Some servers reject it
 * only after they have started the stream.
 */
function refusesSystem(settings: OpenaiModelSettings, error: unknown): boolean {
  const refusal = readRefusal(error);
  const cause = refusal && causeOf(refusal);
  const known = refusedOptions(serverKey(settings));
  const isRefused = cause === 'system' || cause === 'alternation';
  if (!isRefused || known.has('system') || !isOwnServer(settings)) return false;
  rememberRefused(serverKey(settings), new Set([...known, 'system']));
  return true;
}

const LIST_TIMEOUT_MS = 3000;
const MAX_NAMED = 8;

/** Adds the names of the available models to an error, if the server lists any. */
async function nameModels(
  failure: UpstreamFailed,
  who: string,
  settings: OpenaiSettings,
): Promise<UpstreamFailed> {
  const list = await listOpenaiModels(who, settings, AbortSignal.timeout(LIST_TIMEOUT_MS)).catch(() => []);
  const names = list.slice(0, MAX_NAMED).map(({ id }) => toLine(id, 80));
  if (names.length === 0) return failure;
  const more = list.length > names.length ? `, and ${list.length - names.length} more` : '';
  return new UpstreamFailed(
    failure.code as 'model_not_found',
    `${failure.message} It has: ${names.join(', ')}${more}.`,
  );
}

async function* readAnswer(
  client: OpenAI,
  settings: OpenaiModelSettings,
  request: ModelRequest,
  { who, patient, rules }: { who: string; patient: Patience; rules: CallRules },
): AsyncGenerator<ModelEvent> {
  const { signal, listen, watch } = patient;
  const { Stream } = await import('openai/core/streaming');
  const options = callOptions(rules, signal);
  const open = (body: CompletionBody) =>
    sendUntilTaken(rules, () => client.chat.completions.create(body, options).asResponse(), signal);
  const response = yield* openWithinLimit(() => openStream(settings, request, open), signal);
  const ownUrl = isOwnServer(settings) ? settings.baseUrl : undefined;
  const reading = { splitter: thoughtSplitter(ownUrl, settings.model, request), known: knownCalls(request) };
  const { first, whole } = await readFirst(listen(response), watch);
  if (!isEventStream(response, first)) {
    const bytes = whole.body === null ? [] : await Array.fromAsync(watch(whole.body));
    return yield* readWhole(who, Buffer.concat(bytes), reading);
  }
  const { heard, isDone } = listenForDone(whole);
  const pieces = Stream.fromSSEResponse<Piece>(heard, new AbortController(), client);
  // Callers that set a limit stop reading by themselves.
  const limit = settings.maxOutputTokens ?? ownLimit(settings);
  const maxTokens = request.maxOutputTokens === undefined ? limit : undefined;
  const heeded = settings.baseUrl === undefined ? watch(pieces) : withCachedTokens(watch(pieces), request);
  yield* boundedEvents(who, readCompletion(who, heeded, { ...reading, isDone }), maxTokens);
}

function ownLimit({ baseUrl }: OpenaiSettings): number | undefined {
  return baseUrl === undefined || baseUrl === GEMINI_BASE_URL ? undefined : MAX_OWN_TOKENS;
}

/** Returns the first bytes of a response, and the response with these bytes put back. */
async function readFirst(response: Response, watch: Patience['watch']) {
  const reader = response.body?.getReader();
  if (reader === undefined) return { first: undefined, whole: response };
  let first: Uint8Array | undefined;
  const read = async function* () {
    yield await reader.read();
  };
  for await (const { value } of watch(read())) first = value;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => first && controller.enqueue(first),
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { first, whole: new Response(body, response) };
}

/** Matches a response of Ollama's own API. Its path differs from that of the compatible API. */
const LINES_OF_OLLAMA = /^\s*\{[^\n]*"done":/;
const OTHER_API = Object.assign(new Error('another API'), { error: { message: 'Unknown endpoint' } });

/**
 * Reads a response that isn't a stream. Some servers answer a streaming request with a whole response, an
 * error with status 200, or a web page.
 */
async function* readWhole(
  who: string,
  bytes: Buffer,
  reading: Omit<ReadOptions, 'isDone'>,
): AsyncGenerator<ModelEvent> {
  const whole = parseJson(bytes);
  const { choices, error = whole } = (whole ?? {}) as Piece;
  if (!Array.isArray(choices) || choices.length === 0)
    throw LINES_OF_OLLAMA.test(bytes.toString())
      ? OTHER_API
      : providerFailure(who, { error: error ?? bytes.toString() });
  yield* boundedEvents(
    who,
    readCompletion(who, onePiece(whole as Piece), { ...reading, isDone: () => true }),
  );
}

async function* onePiece(piece: Piece): AsyncGenerator<Piece> {
  yield piece;
}

const DONE = /(?:^|[\r\n])data: ?\[done\]/i;

/** Detects `[DONE]`, because the SDK doesn't say whether a stream reached it or just ended. */
function listenForDone(response: Response): { heard: Response; isDone: () => boolean } {
  let tail = '';
  let isDone = false;
  const listener = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      const before = tail.length;
      tail = (tail + Buffer.from(bytes).toString('latin1')).replace(DONE, (mark) =>
        mark.replace('done', 'DONE'),
      );
      isDone ||= DONE.test(tail);
      controller.enqueue(Buffer.from(tail.slice(before), 'latin1'));
      tail = tail.slice(-20);
    },
  });
  return { heard: new Response(response.body?.pipeThrough(listener), response), isDone: () => isDone };
}

/**
 * Opens a stream. Omits an option that the server rejects, also in later requests if that helped. Otherwise
 * throws the first refusal.
 */
async function openStream(
  settings: OpenaiModelSettings,
  request: ModelRequest,
  open: (body: CompletionBody) => Promise<Response>,
): Promise<Response> {
  const key = serverKey(settings);
  const known = refusedOptions(key);
  const skipped: Option[] = settings.callsTools === false ? ['tools', ...known] : [...known];
  const options = optionsOf(settings, request).difference(new Set(skipped));
  const tryWith = (tried: ReadonlySet<Option>) => open(completionBody(settings, request, tried));
  try {
    return await tryWith(options);
  } catch (refusal) {
    const { response, dropped } = await openWithout(tryWith, options, refusal);
    rememberRefused(key, known.union(dropped));
    return response;
  }
}

async function openWithout(
  tryWith: (options: ReadonlySet<Option>) => Promise<Response>,
  options: ReadonlySet<Option>,
  refusal: unknown,
): Promise<{ response: Response; dropped: ReadonlySet<Option> }> {
  let left = options;
  for (let latest = refusal; ; ) {
    const drop = new Set(optionsToDrop(latest, left));
    if (drop.size === 0) throw refusal;
    left = left.difference(drop);
    try {
      return { response: await tryWith(left), dropped: options.difference(left) };
    } catch (error) {
      latest = error;
    }
  }
}

/** Returns the key under which a server's refusals are remembered. */
export function serverKey({ baseUrl = '', model }: Pick<OpenaiModelSettings, 'baseUrl' | 'model'>): string {
  return `${baseUrl} ${model}`;
}
