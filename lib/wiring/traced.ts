import type { Embedder, EmbedOptions } from '../ports/embedder.ts';
import type { Entailment } from '../ports/entailment.ts';
import type { LanguageModel, ModelEvent, ModelRequest } from '../ports/language-model.ts';
import type { Queue, QueueName } from '../ports/queue.ts';
import type { Reranker } from '../ports/reranker.ts';
import type { PassageTable, Vectors } from '../ports/vectors.ts';
import { isTraced, startSpan, traced } from '../telemetry/trace.ts';

/** Ports whose calls are spans of the current trace. Without tracing, they behave as without this wrapper. */

/** Messages contain the trace in addition to their hops, so both queues deliver it (lib/queue/hops.ts). */
export function tracedQueue(queue: Queue, name: QueueName): Queue {
  return {
    ...queue,
    send(messages) {
      const span = startSpan(`send ${name}`, { kind: 'producer', fields: { messages: messages.length } });
      if (span === undefined) return queue.send(messages);
      const { traceparent } = span;
      const carried = messages.map((message) => ({ ...message, body: withField(message.body, traceparent) }));
      return queue.send(carried).then(
        () => span.end(),
        (error: unknown) => {
          span.end({}, error);
          throw error;
        },
      );
    },
  };
}

function withField(body: unknown, traceparent: string): unknown {
  return typeof body === 'object' && body !== null ? { ...body, traceparent } : body;
}

export function tracedModel(model: LanguageModel): LanguageModel {
  if (!isTraced()) return model;
  return { ...model, stream: (request) => streamTraced(model, request) };
}

async function* streamTraced(model: LanguageModel, request: ModelRequest): AsyncGenerator<ModelEvent> {
  const fields = { provider: model.provider, model: model.model, messages: request.messages.length };
  const span = startSpan('model', { kind: 'client', fields });
  let failed: unknown;
  let counted = {};
  try {
    for await (const event of model.stream(request)) {
      if (event.type === 'finish') {
        const { inputTokens, outputTokens } = event.usage;
        counted = { reason: event.reason, inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 };
      }
      yield event;
    }
  } catch (error) {
    failed = error;
    throw error;
  } finally {
    span?.end(counted, failed);
  }
}

export function tracedEmbedder(embedder: Embedder): Embedder {
  if (!isTraced()) return embedder;
  const embed = (texts: string[], options?: EmbedOptions) =>
    traced('embed', { kind: 'client', fields: { model: embedder.model, texts: texts.length } }, () =>
      embedder.embed(texts, options),
    );
  const { ofModel } = embedder;
  if (ofModel === undefined) return { ...embedder, embed };
  return {
    ...embedder,
    embed,
    ofModel(model) {
      const other = ofModel(model);
      return other && tracedEmbedder(other);
    },
  };
}

export function tracedReranker(reranker: Reranker): Reranker {
  if (!isTraced()) return reranker;
  return {
    model: reranker.model,
    rerank: (query, documents, options) =>
      traced('rerank', { kind: 'client', fields: { model: reranker.model, texts: documents.length } }, () =>
        reranker.rerank(query, documents, options),
      ),
  };
}

export function tracedEntailment(entailment: Entailment): Entailment {
  if (!isTraced()) return entailment;
  const { model, entail } = entailment;
  return {
    model,
    entail: (pairs, options) =>
      traced('entail', { kind: 'client', fields: { model, pairs: pairs.length } }, () =>
        entail(pairs, options),
      ),
  };
}

export function tracedVectors(vectors: Vectors): Vectors {
  if (!isTraced()) return vectors;
  return {
    ...vectors,
    drop: (workspaceId, options) =>
      traced('vectors drop', { fields: { workspaceId } }, () => vectors.drop(workspaceId, options)),
    open: async (workspaceId, space) => tracedTable(await vectors.open(workspaceId, space), workspaceId),
  };
}

function tracedTable(table: PassageTable, workspaceId: string): PassageTable {
  const found = (rows: unknown[]) => ({ found: rows.length });
  const step = <Result>(
    name: string,
    work: () => Promise<Result>,
    tell?: (result: Result) => Record<string, number>,
  ) => traced(`vectors ${name}`, { fields: { workspaceId } }, work, tell);
  return {
    ...table,
    write: (rows, trims) =>
      step(
        'write',
        () => table.write(rows, trims),
        () => ({ rows: rows.length }),
      ),
    searchText: (query, limit, scope) =>
      step('search text', () => table.searchText(query, limit, scope), found),
    searchVector: (vector, limit, scope) =>
      step('search vector', () => table.searchVector(vector, limit, scope), found),
    maintain: () => step('maintain', () => table.maintain()),
  };
}
