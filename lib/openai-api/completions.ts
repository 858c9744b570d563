import type { StreamPart } from '../api-contract/stream-part.ts';
import { type OpenaiError, openaiError } from '../ui-messages/openai-error.ts';
import { urlCitations } from './annotations.ts';
import { offersTools } from './parameters.ts';
import { answerReader, extrasOf, type ReadAnswer, readWholeAnswer, tokenCounts } from './read-answer.ts';
import type { AskedCompletion } from './request-schema.ts';

interface CompletionPlace {
  workspaceId: string;
  /** The URL of the service, or empty. */
  base: string;
  /** Unix time in seconds. */
  created: number;
}

/** The fields of the request that an answer repeats. */
interface CompletionContext extends CompletionPlace {
  model: string;
  includesUsage: boolean;
  offersTools: boolean;
}

export function completionContext(body: AskedCompletion, place: CompletionPlace): CompletionContext {
  const includesUsage = body.stream_options?.include_usage === true;
  return { ...place, model: body.model, includesUsage, offersTools: offersTools(body) };
}

const REASONS: Record<string, 'length' | 'content_filter'> = {
  length: 'length',
  'content-filter': 'content_filter',
};

function reasonOf({ finishReason }: ReadAnswer) {
  return REASONS[finishReason] ?? 'stop';
}

function usageOf(answer: ReadAnswer) {
  const { input, output, total } = tokenCounts(answer);
  return { prompt_tokens: input, completion_tokens: output, total_tokens: total };
}

/** Returns the whole answer as a chat completion. Throws the errors of its parts. */
export async function completionOf(context: CompletionContext, parts: AsyncIterable<StreamPart>) {
  const { model, created, workspaceId, base } = context;
  const answer = await readWholeAnswer(parts);
  const message = {
    role: 'assistant' as const,
    content: answer.text,
    refusal: null,
    annotations: urlCitations(workspaceId, answer, base),
  };
  return {
    ...{ id: completionId(answer), object: 'chat.completion' as const, created, model },
    choices: [{ index: 0, message, logprobs: null, finish_reason: reasonOf(answer) }],
    usage: usageOf(answer),
    ...extrasOf(context, answer),
  };
}

function completionId({ id }: ReadAnswer): string {
  return `chatcmpl-${id}`;
}

type Chunk = ReturnType<typeof chunkOf> | { error: OpenaiError };

function chunkOf(
  { model, created, includesUsage }: CompletionContext,
  answer: ReadAnswer,
  choice: { delta: object; finish_reason?: string },
) {
  return {
    ...{ id: completionId(answer), object: 'chat.completion.chunk' as const, created, model },
    choices: [{ index: 0, logprobs: null, finish_reason: null, ...choice }],
    ...(includesUsage && { usage: null as ReturnType<typeof usageOf> | null }),
  };
}

/** Yields an answer as chunks: its role, its text, its annotations, its end, and its usage if requested. */
async function* chunksOf(
  context: CompletionContext,
  parts: AsyncIterable<StreamPart>,
): AsyncGenerator<Chunk> {
  const { answer, take } = answerReader(true);
  for await (const part of parts) {
    const content = take(part);
    if (part.type === 'start') yield chunkOf(context, answer, { delta: { role: 'assistant', content: '' } });
    if (content !== '') yield chunkOf(context, answer, { delta: { content } });
  }
  const annotations = urlCitations(context.workspaceId, answer, context.base);
  if (annotations.length > 0) yield chunkOf(context, answer, { delta: { annotations } });
  const end = chunkOf(context, answer, { delta: {}, finish_reason: reasonOf(answer) });
  yield { ...end, ...extrasOf(context, answer) };
  if (context.includesUsage) yield { ...end, choices: [], usage: usageOf(answer) };
}

/** Returns the form and the chunks of a streamed chat completion. */
export function completionEvents(context: CompletionContext) {
  return {
    form: {
      frame: (_: number, chunk: Chunk) => `data: ${JSON.stringify(chunk)}\n\n`,
      failed: (error: unknown): Chunk[] => [{ error: openaiError(error) }],
      end: 'data: [DONE]\n\n',
    },
    events: (parts: AsyncIterable<StreamPart>) => chunksOf(context, parts),
  };
}
