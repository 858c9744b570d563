import type Anthropic from '@anthropic-ai/sdk';
import { UpstreamFailed } from '../../errors.ts';
import type {
  FinishReason,
  LanguageModel,
  ModelEvent,
  ModelRequest,
  ToolCall,
} from '../../ports/language-model.ts';
import { PROVIDER_NAMES } from '../../text/vendor-names.ts';
import { boundedEvents } from '../outbound/bounded-events.ts';
import {
  type CallRules,
  callOptions,
  inTurn,
  type OwnServerSettings,
  ownServer,
  sendUntilTaken,
} from '../outbound/own-server.ts';
import { patience } from '../outbound/patient-stream.ts';
import { providerFailure } from '../outbound/provider-failure.ts';
import { openWithinLimit } from '../outbound/rate-limit.ts';
import { type ThoughtSplitter, thoughtSplitter } from '../outbound/split-thoughts.ts';
import { type AnthropicSettings, anthropicClient } from './client.ts';
import { toMessages } from './messages.ts';

export interface AnthropicModelSettings extends AnthropicSettings, OwnServerSettings {
  model: string;
  sees?: boolean;
  /** The output limit for requests that set none. */
  maxOutputTokens?: number | undefined;
}

/** In tokens. The API requires a limit, and every current model can write this much. */
const MAX_OUTPUT_TOKENS = 8192;
const WHO = PROVIDER_NAMES.b;

/** Returns a model that is reached through Anthropic's Messages API. */
export function anthropicLanguageModel(settings: AnthropicModelSettings): LanguageModel {
  const { model, sees = false } = settings;
  return {
    ...{ provider: 'b', model, sees },
    ownServer: () => ownServer(settings),
    stream: (request) => inTurn(settings, request, (rules, own) => answerOnce(settings, rules, own)),
  };
}

async function* answerOnce(
  settings: AnthropicModelSettings,
  rules: CallRules,
  request: ModelRequest,
): AsyncGenerator<ModelEvent> {
  const { signal, listen, watch } = patience(WHO, rules.limits, request.signal);
  try {
    const client = await anthropicClient(settings);
    const { Stream } = await import('@anthropic-ai/sdk/core/streaming');
    const options = callOptions(rules, signal);
    const send = () => client.messages.create(bodyOf(settings, request), options).asResponse();
    const open = () => sendUntilTaken(rules, send, signal);
    const response = yield* openWithinLimit(open, signal);
    const controller = new AbortController();
    const events = Stream.fromSSEResponse<Event>(listen(response), controller, client);
    const splitter = thoughtSplitter(settings.baseUrl, settings.model, request);
    yield* boundedEvents(WHO, readEvents(watch(events), splitter));
  } catch (error) {
    request.signal?.throwIfAborted();
    const { apiKey, baseUrl = 'https://api.anthropic.com/v1' } = settings;
    throw providerFailure(WHO, error, { apiKey, baseUrl });
  }
}

function bodyOf(
  { model, maxOutputTokens = MAX_OUTPUT_TOKENS }: AnthropicModelSettings,
  request: ModelRequest,
) {
  const body: Anthropic.MessageCreateParamsStreaming = {
    model,
    max_tokens: request.maxOutputTokens ?? maxOutputTokens,
    messages: toMessages(request.messages),
    stream: true,
  };
  if (request.system !== '') body.system = request.system;
  if (request.tools !== undefined && request.tools.length > 0) {
    body.tools = request.tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: inputSchema as Anthropic.Tool.InputSchema,
    }));
  }
  return body;
}

type Event = Anthropic.RawMessageStreamEvent;

/** The state of an answer while it streams. */
interface Answer {
  /** Finds reasoning that other models behind the same API may write into the text. */
  splitter: ThoughtSplitter;
  calls: ToolCall[];
  /** Keyed by the index of the content block. */
  open: Map<number, ToolCall>;
  /** Signed reasoning, which must be sent back with the tool calls that follow it. */
  thinking: { type: 'thinking'; thinking: string; signature: string }[];
  inputTokens: number | null;
  outputTokens: number | null;
  stopReason: string | undefined;
}

async function* readEvents(
  events: AsyncIterable<Event>,
  splitter: ThoughtSplitter,
): AsyncGenerator<ModelEvent> {
  const answer: Answer = {
    splitter,
    calls: [],
    open: new Map(),
    thinking: [],
    inputTokens: null,
    outputTokens: null,
    stopReason: undefined,
  };
  try {
    for await (const event of events) yield* readEvent(answer, event);
  } catch (error) {
    if (answer.stopReason === undefined) {
      yield* splitter.end('cut');
      throw error;
    }
  }
  const { calls, thinking, stopReason, inputTokens, outputTokens } = answer;
  yield* splitter.end(stopReason === 'end_turn' ? 'stop' : 'cut');
  if (stopReason === undefined)
    throw new UpstreamFailed('model_interrupted', `${WHO} stopped in the middle of its answer. Try again.`);
  const [first] = calls;
  if (first !== undefined && thinking.length > 0) first.echo = { thinking };
  const reason = toReason(stopReason, calls.length);
  // A call with truncated arguments is dropped.
  const called = reason === 'tool-calls' ? calls : [];
  for (const call of called) yield { type: 'tool-call', call: { ...call, input: call.input || '{}' } };
  yield { type: 'finish', reason, usage: { inputTokens, outputTokens } };
}

function* readEvent(answer: Answer, event: Event): Iterable<ModelEvent> {
  if (event.type === 'content_block_start') yield* beginBlock(answer, event);
  if (event.type === 'content_block_delta') yield* readDelta(answer, event);
  if (event.type === 'message_start') {
    answer.inputTokens = event.message.usage?.input_tokens ?? null;
    answer.outputTokens = event.message.usage?.output_tokens ?? null;
  }
  if (event.type === 'message_delta') {
    answer.stopReason = event.delta.stop_reason ?? answer.stopReason;
    answer.outputTokens = event.usage?.output_tokens ?? answer.outputTokens;
  }
}

function* beginBlock(answer: Answer, event: Anthropic.RawContentBlockStartEvent): Iterable<ModelEvent> {
  const { content_block: block, index } = event;
  if (block.type === 'thinking') answer.thinking.push({ type: 'thinking', thinking: '', signature: '' });
  if (block.type !== 'tool_use') return;
  const call: ToolCall = { id: block.id, name: block.name, input: '' };
  answer.calls.push(call);
  answer.open.set(index, call);
  yield* answer.splitter.end();
  yield { type: 'tool-call-start', id: call.id, name: call.name };
}

function* readDelta(answer: Answer, event: Anthropic.RawContentBlockDeltaEvent): Iterable<ModelEvent> {
  const { delta, index } = event;
  const thought = answer.thinking.at(-1);
  if (delta.type === 'text_delta') yield* answer.splitter.add(delta.text);
  if (delta.type === 'signature_delta' && thought !== undefined) thought.signature += delta.signature;
  if (delta.type === 'thinking_delta') {
    if (thought !== undefined) thought.thinking += delta.thinking;
    yield { type: 'reasoning', text: delta.thinking };
  }
  const call = answer.open.get(index);
  if (delta.type === 'input_json_delta' && call !== undefined && delta.partial_json !== '') {
    call.input += delta.partial_json;
    yield { type: 'tool-call-delta', id: call.id, text: delta.partial_json };
  }
}

function toReason(reason: string, calls: number): FinishReason {
  if (calls > 0 && reason === 'tool_use') return 'tool-calls';
  if (reason === 'end_turn' || reason === 'stop_sequence') return 'stop';
  if (reason === 'max_tokens' || reason === 'model_context_window_exceeded') return 'length';
  return reason === 'refusal' ? 'content-filter' : 'other';
}
