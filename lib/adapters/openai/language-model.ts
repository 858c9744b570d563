import type OpenAI from 'openai';
import type { LanguageModel, ModelEvent, ModelRequest, ProviderId } from '../../ports/language-model.ts';
import { providerNameAt } from '../../text/vendor-names.ts';
import { boundedEvents } from '../outbound/bounded-events.ts';
import { type Patience, type PatienceLimits, patience, STALL_MS } from '../outbound/patient-stream.ts';
import { providerFailure } from '../outbound/provider-failure.ts';
import { thoughtSplitter } from '../outbound/split-thoughts.ts';
import { type ChatBody, chatBody } from './chat-body.ts';
import { type OpenaiSettings, openaiClient } from './client.ts';
import { GEMINI_BASE_URL } from './gemini.ts';
import { type Piece, readPieces } from './read-pieces.ts';

export interface OpenaiModelSettings extends OpenaiSettings, PatienceLimits {
  sees?: boolean;
  /** As callers name it: Gemini is reached this way too. */
  provider: ProviderId;
  model: string;
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
    const ownUrl = settings.baseUrl === GEMINI_BASE_URL ? undefined : settings.baseUrl;
    const splitter = thoughtSplitter(ownUrl, settings.model, request);
    yield* boundedEvents(who, readPieces(who, patient.watch(pieces), splitter));
  } catch (error) {
    request.signal?.throwIfAborted();
    throw providerFailure(who, error);
  }
}

/** Servers that refused `stream_options`: they are not asked for usage again. */
const withoutUsage = new Set<string>();

async function startStream(
  settings: OpenaiModelSettings,
  request: ModelRequest,
  { signal, listen }: Patience,
): Promise<AsyncIterable<Piece>> {
  const client = await openaiClient(settings);
  const { Stream } = await import('openai/core/streaming');
  const options = { signal, timeout: settings.stallMs ?? STALL_MS };
  const response = await openStream(client, chatBody(settings, request), options);
  return Stream.fromSSEResponse<Piece>(listen(response), new AbortController(), client);
}

async function openStream(
  client: OpenAI,
  body: ChatBody,
  options: { signal: AbortSignal; timeout: number },
): Promise<Response> {
  const { completions } = client.chat;
  if (withoutUsage.has(client.baseURL)) return completions.create(body, options).asResponse();
  try {
    const withUsage = { ...body, stream_options: { include_usage: true } };
    return await completions.create(withUsage, options).asResponse();
  } catch (error) {
    if (!/stream_options/.test((error as Error).message)) throw error;
    withoutUsage.add(client.baseURL);
    return completions.create(body, options).asResponse();
  }
}
