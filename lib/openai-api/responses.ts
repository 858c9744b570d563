import type { StreamPart } from '../api-contract/stream-part.ts';
import { openaiError } from '../ui-messages/openai-error.ts';
import { fileCitations } from './annotations.ts';
import { offersTools } from './parameters.ts';
import { answerReader, extrasOf, type ReadAnswer, readWholeAnswer, tokenCounts } from './read-answer.ts';
import type { AskedResponse } from './request-schema.ts';
import { responseIdOf, type StoredResponse } from './response-id.ts';

interface ResponsePlace {
  workspaceId: string;
  /** Unix time in seconds. */
  created: number;
  stored: StoredResponse | undefined;
}

type ResponseContext = ReturnType<typeof responseContext>;

/** Returns the fields that a response repeats from its request. */
export function responseContext(body: AskedResponse, { stored, ...place }: ResponsePlace) {
  return {
    ...place,
    model: body.model,
    offersTools: offersTools(body),
    conversationId: stored?.id,
    instructions: body.instructions ?? null,
    previousResponseId: body.previous_response_id ?? null,
    maxOutputTokens: body.max_output_tokens ?? null,
    metadata: body.metadata ?? {},
  };
}

const REASONS: Record<string, 'max_output_tokens' | 'content_filter'> = {
  length: 'max_output_tokens',
  'content-filter': 'content_filter',
};

/** Every answer is a single message with a single text. */
const PLACE = { output_index: 0, content_index: 0 };

function itemId({ id }: ReadAnswer): string {
  return `msg_${id}`;
}

function textPart(text: string, annotations: ReturnType<typeof fileCitations>) {
  return { type: 'output_text' as const, text, annotations, logprobs: [] as unknown[] };
}

function itemOf(answer: ReadAnswer, status: string, content: ReturnType<typeof textPart>[]) {
  return { id: itemId(answer), type: 'message' as const, role: 'assistant' as const, status, content };
}

interface ResponseState {
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  output?: ReturnType<typeof itemOf>[];
  reason?: string | undefined;
  error?: { code: string; message: string };
}

function describe(context: ResponseContext, answer: ReadAnswer, state: ResponseState) {
  const { model, created, conversationId, instructions, previousResponseId } = context;
  const { status, output = [], reason, error = null } = state;
  return {
    ...{ id: responseIdOf(conversationId, answer.id), object: 'response' as const, created_at: created },
    ...{ status, background: false, error, model, output },
    incomplete_details: reason === undefined ? null : { reason },
    ...{ instructions, previous_response_id: previousResponseId, store: conversationId !== undefined },
    ...{ max_output_tokens: context.maxOutputTokens, metadata: context.metadata },
    ...{ tools: [] as unknown[], tool_choice: 'auto' as const, parallel_tool_calls: false },
    ...{ temperature: 1, top_p: 1, truncation: 'auto' as const, text: { format: { type: 'text' as const } } },
    reasoning: { effort: null, summary: null },
    usage: status === 'completed' || status === 'incomplete' ? usageOf(answer) : null,
    ...extrasOf(context, answer),
  };
}

function usageOf(answer: ReadAnswer) {
  const { input, output, total } = tokenCounts(answer);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: total,
  };
}

/** Returns the response of a complete answer. */
function ended(context: ResponseContext, answer: ReadAnswer) {
  const reason = REASONS[answer.finishReason];
  const status = reason === undefined ? ('completed' as const) : ('incomplete' as const);
  const content = textPart(answer.text, fileCitations(context.workspaceId, answer));
  const item = itemOf(answer, status, [content]);
  return { content, item, response: describe(context, answer, { status, output: [item], reason }) };
}

/** Returns the whole answer as a response. Throws the errors of its parts. */
export async function responseOf(context: ResponseContext, parts: AsyncIterable<StreamPart>) {
  return ended(context, await readWholeAnswer(parts)).response;
}

interface ResponseEvent {
  type: string;
  [field: string]: unknown;
}

/** Returns the form and the events of a streamed response. The last event contains the whole response. */
export function responseEvents(context: ResponseContext) {
  const { answer, take } = answerReader(true);

  async function* events(parts: AsyncIterable<StreamPart>): AsyncGenerator<ResponseEvent> {
    for await (const part of parts) {
      const delta = take(part);
      if (part.type === 'start') yield* opening(context, answer);
      if (delta !== '') yield { ...textEvent('delta', answer), delta, logprobs: [] };
    }
    yield* closing(context, answer);
  }

  return {
    form: {
      frame: (id: number, { type, ...event }: ResponseEvent) =>
        `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: id - 1, ...event })}\n\n`,
      failed: (error: unknown): ResponseEvent[] => [failedEvent(context, answer, error)],
      end: '',
    },
    events,
  };
}

function textEvent(name: 'delta' | 'done' | 'annotation.added', answer: ReadAnswer) {
  return { type: `response.output_text.${name}`, item_id: itemId(answer), ...PLACE };
}

function* opening(context: ResponseContext, answer: ReadAnswer): Generator<ResponseEvent> {
  const response = describe(context, answer, { status: 'in_progress' });
  yield { type: 'response.created', response };
  yield { type: 'response.in_progress', response };
  yield { type: 'response.output_item.added', output_index: 0, item: itemOf(answer, 'in_progress', []) };
  yield { ...partEvent('added', answer), part: textPart('', []) };
}

function partEvent(name: 'added' | 'done', answer: ReadAnswer) {
  return { type: `response.content_part.${name}`, item_id: itemId(answer), ...PLACE };
}

function* closing(context: ResponseContext, answer: ReadAnswer): Generator<ResponseEvent> {
  const { content, item, response } = ended(context, answer);
  for (const [at, annotation] of content.annotations.entries())
    yield { ...textEvent('annotation.added', answer), annotation_index: at, annotation };
  yield { ...textEvent('done', answer), text: content.text, logprobs: [] };
  yield { ...partEvent('done', answer), part: content };
  yield { type: 'response.output_item.done', output_index: 0, item };
  yield { type: `response.${response.status}`, response };
}

/**
 * Returns the last event of a failed response. Its code is one of OpenAI's, because clients know only those.
 */
function failedEvent(context: ResponseContext, answer: ReadAnswer, failure: unknown): ResponseEvent {
  const { message, code } = openaiError(failure);
  const known = code === 'rate_limit_exceeded' ? code : 'server_error';
  const response = describe(context, answer, { status: 'failed', error: { code: known, message } });
  return { type: 'response.failed', response: { ...response, x_error_code: code } };
}
