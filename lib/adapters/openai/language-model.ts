import type { LanguageModel, ModelEvent, ModelRequest, ProviderId } from '../../ports/language-model.ts';
import { isOwnServer, providerNameAt } from '../../text/vendor-names.ts';
import { boundedEvents } from '../outbound/bounded-events.ts';
import { type Patience, type PatienceLimits, patience, STALL_MS } from '../outbound/patient-stream.ts';
import { providerFailure } from '../outbound/provider-failure.ts';
import { thoughtSplitter } from '../outbound/split-thoughts.ts';
import { type OpenaiSettings, openaiClient } from './client.ts';
import { type CompletionBody, completionBody, optionsOf } from './completion-body.ts';
import { type Piece, readCompletion } from './read-completion.ts';
import { type Option, optionsToDrop, refusedOptions, rememberRefused } from './refused-options.ts';
import { readTextCalls } from './text-calls.ts';
import { knownCalls } from './tool-calls.ts';

export interface OpenaiModelSettings extends OpenaiSettings, PatienceLimits {
  sees?: boolean;
  /** As callers name it: Gemini is reached this way too. */
  provider: ProviderId;
  model: string;
  /** False for a model that is known to call no tools: they are described to it in words. */
  callsTools?: boolean | undefined;
}

/** A model behind a chat-completions API: OpenAI, Gemini, and whatever speaks their protocol. */
export function openaiLanguageModel(settings: OpenaiModelSettings): LanguageModel {
  const { provider, model, sees = false } = settings;
  return { provider, model, sees, stream: (request) => streamAnswer(settings, request) };
}

async function* streamAnswer(
  settings: OpenaiModelSettings,
  request: ModelRequest,
): AsyncGenerator<ModelEvent> {
  const who = providerNameAt(settings.provider, settings.baseUrl);
  const patient = patience(who, settings, request.signal);
  try {
    const pieces = await startStream(settings, request, patient);
    const isOwn = isOwnServer(settings);
    const splitter = thoughtSplitter(isOwn ? settings.baseUrl : undefined, settings.model, request);
    const watched = patient.watch(pieces);
    const events = boundedEvents(who, readCompletion(who, watched, splitter, knownCalls(request)));
    yield* isOwn ? readTextCalls(request, events) : events;
  } catch (error) {
    request.signal?.throwIfAborted();
    throw providerFailure(who, error);
  }
}

async function startStream(
  settings: OpenaiModelSettings,
  request: ModelRequest,
  { signal, listen }: Patience,
): Promise<AsyncIterable<Piece>> {
  const client = await openaiClient(settings);
  const { Stream } = await import('openai/core/streaming');
  const options = { signal, timeout: settings.stallMs ?? STALL_MS };
  const open = (body: CompletionBody) => client.chat.completions.create(body, options).asResponse();
  const response = await openStream(settings, request, open);
  return Stream.fromSSEResponse<Piece>(listen(response), new AbortController(), client);
}

/** Leaves out what the server refuses, and from then on if that helped. Throws the first refusal otherwise. */
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

/** What a server has refused is remembered under this key. */
export function serverKey({ baseUrl = '', model }: Pick<OpenaiModelSettings, 'baseUrl' | 'model'>): string {
  return `${baseUrl} ${model}`;
}
