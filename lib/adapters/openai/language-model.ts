import type OpenAI from 'openai';
import { UpstreamFailed } from '../../errors.ts';
import type {
  FinishReason,
  LanguageModel,
  ModelAttachment,
  ModelEvent,
  ModelMessage,
  ModelRequest,
  ProviderId,
  Usage,
} from '../../ports/language-model.ts';
import { providerNameAt } from '../../text/vendor-names.ts';
import { boundedEvents } from '../outbound/bounded-events.ts';
import { type Patience, type PatienceLimits, patience, STALL_MS } from '../outbound/patient-stream.ts';
import { providerFailure } from '../outbound/provider-failure.ts';
import { type OpenaiSettings, openaiClient } from './client.ts';
import { type ToolCallPiece, toolCallCollector } from './tool-calls.ts';

export interface OpenaiModelSettings extends OpenaiSettings, PatienceLimits {
  sees?: boolean;
  /** As callers name it: Gemini is reached this way too. */
  provider: ProviderId;
  model: string;
}

type Body = OpenAI.ChatCompletionCreateParamsStreaming;

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
    yield* boundedEvents(who, readPieces(who, patient.watch(pieces)));
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
  const response = await openStream(client, bodyOf(settings, request), options);
  return Stream.fromSSEResponse<Piece>(listen(response), new AbortController(), client);
}

async function openStream(
  client: OpenAI,
  body: Body,
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

function bodyOf({ model, baseUrl }: OpenaiModelSettings, request: ModelRequest): Body {
  const { system, messages, tools, maxOutputTokens } = request;
  const body: Body = {
    model,
    stream: true,
    messages: [{ role: 'system', content: system }, ...messages.map(toMessage)],
  };
  if (tools !== undefined && tools.length > 0) {
    body.tools = tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    }));
  }
  // Reasoning models of OpenAI refuse max_tokens; many other servers know nothing else.
  if (maxOutputTokens !== undefined) {
    body[baseUrl === undefined ? 'max_completion_tokens' : 'max_tokens'] = maxOutputTokens;
  }
  return body;
}

function toMessage(message: ModelMessage): OpenAI.ChatCompletionMessageParam {
  if (message.role === 'user') return { role: 'user', content: toUserContent(message) };
  if (message.role === 'tool') {
    return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  }
  const { content, toolCalls = [] } = message;
  if (toolCalls.length === 0) return { role: 'assistant', content };
  const calls = toolCalls.map(({ id, name, input, echo }) => ({
    ...echo,
    id,
    type: 'function' as const,
    function: { name, arguments: input },
  }));
  return { role: 'assistant', content: content === '' ? null : content, tool_calls: calls };
}

/** A text where no picture is among it: there are servers that take nothing else. */
function toUserContent({
  content,
  attachments = [],
}: {
  content: string;
  attachments?: ModelAttachment[];
}): string | OpenAI.ChatCompletionContentPart[] {
  if (attachments.every(({ picture }) => picture === undefined))
    return [...attachments.map(({ text }) => text), content].join('\n\n');
  return [...attachments.flatMap(showAttachment), { type: 'text', text: content }];
}

function showAttachment({ text, picture }: ModelAttachment): OpenAI.ChatCompletionContentPart[] {
  const said = { type: 'text' as const, text };
  if (picture === undefined) return [said];
  const url = `data:${picture.mediaType};base64,${picture.base64}`;
  return [said, { type: 'image_url', image_url: { url } }];
}

/** A chunk as servers really send it: nothing in it is certain. */
interface Piece {
  choices?: {
    delta?: {
      content?: string | null;
      refusal?: string | null;
      reasoning_content?: string | null;
      reasoning?: string | null;
      tool_calls?: ToolCallPiece[];
    };
    finish_reason?: string | null;
  }[];
  usage?: { prompt_tokens?: number; completion_tokens?: number } | null;
  error?: unknown;
}

/** The state of an answer while it streams. */
interface Answer {
  calls: ReturnType<typeof toolCallCollector>;
  reason: string | undefined;
  usage: Usage;
}

/** A connection that breaks after the finish reason has lost nothing but the usage. */
async function* readPieces(who: string, pieces: AsyncIterable<Piece>): AsyncGenerator<ModelEvent> {
  const usage: Usage = { inputTokens: null, outputTokens: null };
  const answer: Answer = { calls: toolCallCollector(), reason: undefined, usage };
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
  for (const call of choice?.delta?.tool_calls ?? []) yield* answer.calls.add(call);
  answer.reason = choice?.finish_reason ?? answer.reason;
}

function readUsage({ usage }: Piece): Usage | undefined {
  if (!usage) return undefined;
  return { inputTokens: usage.prompt_tokens ?? null, outputTokens: usage.completion_tokens ?? null };
}

function* readDelta(delta: NonNullable<Piece['choices']>[number]['delta']): Iterable<ModelEvent> {
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
