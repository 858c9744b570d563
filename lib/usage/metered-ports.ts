import type { Commands } from '../ports/commands.ts';
import type { Embedder, EmbedOptions } from '../ports/embedder.ts';
import type { Entailment } from '../ports/entailment.ts';
import type { LanguageModel, ModelEvent, ModelRequest, Usage } from '../ports/language-model.ts';
import type { Reranker } from '../ports/reranker.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import type { WebSearch } from '../ports/web-search.ts';
import { estimateTokens, PICTURE_TOKENS, readCount } from '../text/estimate-tokens.ts';
import { admitUse, beginCall } from './budgets/admit.ts';
import type { UsePorts } from './ports.ts';
import { recordUsage } from './record-usage.ts';
import type { Amounts, Use } from './schema.ts';

/**
 * The ports that cost money. Each records its usage. A call counts once it has ended, however it ended. If a
 * worker dies and another one repeats the call, the call is paid and counted twice; if it isn't repeated, it
 * isn't counted. No model or embedder call starts once a budget is used up (OverBudget).
 */

/** Tokens reserved for an answer without a length limit. */
const EXPECTED_OUTPUT_TOKENS = 1000;

/**
 * Meters a model. A stream that breaks or loses its reader reports no usage, so the usage is estimated from the data
 * sent and received.
 */
export function meteredModel(model: LanguageModel, use: Use, ports: UsePorts): LanguageModel {
  return {
    provider: model.provider,
    model: model.model,
    ...(model.sees !== undefined && { sees: model.sees }),
    ...(model.ownServer && { ownServer: () => model.ownServer?.() ?? Promise.resolve(undefined) }),
    ...(model.readWindow && { readWindow: model.readWindow }),
    admit: () => admitUse(ports, use),
    async *stream(request) {
      const call = await beginCall(ports, use, model.model, estimateOf(request));
      let usage: Usage | undefined;
      let received = '';
      // When a caller leaves before the first token, the whole billed prompt has already been sent.
      let wasSent = request.signal?.aborted !== true;
      try {
        for await (const event of model.stream(request)) {
          if (event.type === 'finish') usage = event.usage;
          received += textOf(event);
          yield event;
        }
      } catch (error) {
        wasSent &&= request.signal?.aborted === true;
        throw error;
      } finally {
        const answered = usage !== undefined || received !== '' || wasSent;
        const tokens = answered ? tokensOf(usage, request, received) : {};
        call.end({ calls: 1, ...tokens });
      }
    },
  };
}

function estimateOf(request: ModelRequest): Partial<Amounts> {
  const outputTokens = Math.min(request.maxOutputTokens ?? EXPECTED_OUTPUT_TOKENS, EXPECTED_OUTPUT_TOKENS);
  return { inputTokens: estimateSent(request), outputTokens };
}

function tokensOf(usage: Usage | undefined, request: ModelRequest, received: string): Partial<Amounts> {
  const inputTokens = readCount(usage?.inputTokens);
  const outputTokens = readCount(usage?.outputTokens);
  const input = inputTokens ?? estimateSent(request);
  const output = outputTokens ?? estimateTokens(received);
  const estimatedTokens = (inputTokens === null ? input : 0) + (outputTokens === null ? output : 0);
  return { inputTokens: input, outputTokens: output, estimatedTokens };
}

function estimateSent({ system, messages, tools = [] }: ModelRequest): number {
  let pictures = 0;
  const text = JSON.stringify([system, messages, tools], (name, value: unknown) => {
    if (name !== 'picture' || value === undefined) return value;
    pictures += 1;
    return undefined;
  });
  return estimateTokens(text) + pictures * PICTURE_TOKENS;
}

function textOf(event: ModelEvent): string {
  if (event.type === 'text' || event.type === 'reasoning') return event.text;
  return event.type === 'tool-call' ? event.call.input : '';
}

/** Meters the services that searching and checking citations call. */
export function meteredSearch<Ports extends SearchServices>(ports: Ports, use: Use): Ports {
  return {
    ...ports,
    embedder: meteredEmbedder(ports.embedder, use, ports),
    reranker: meteredReranker(ports.reranker, use, ports),
    entailment: meteredEntailment(ports.entailment, use, ports),
  };
}

interface SearchServices extends UsePorts {
  embedder: Embedder | undefined;
  reranker?: Reranker | undefined;
  entailment?: Entailment | undefined;
}

export function meteredEmbedder<Given extends Embedder | undefined>(
  embedder: Given,
  use: Use,
  ports: UsePorts,
): Given | Embedder {
  if (embedder === undefined) return embedder;
  return {
    ...embedder,
    embed: (texts, options) => embedMetered(embedder, texts, { ...options, use, ports }),
    ofModel: (model) => meteredEmbedder(embedder.ofModel?.(model), use, ports),
  };
}

async function embedMetered(
  embedder: Embedder,
  texts: string[],
  { use, ports, ...options }: EmbedOptions & { use: Use; ports: UsePorts },
): Promise<Float32Array[]> {
  const embeddedTokens = estimateAll(texts);
  const call = await beginCall(ports, use, embedder.model, { embeddedTokens });
  let told: number | undefined;
  const onTokens = (tokens: number) => {
    told = readCount(tokens) ?? undefined;
  };
  let answered = false;
  try {
    const vectors = await embedder.embed(texts, { ...options, onTokens });
    answered = true;
    return vectors;
  } finally {
    call.end({ calls: 1, ...(answered && embedded(texts, told)) });
  }
}

function embedded(texts: string[], told: number | undefined): Partial<Amounts> {
  const embeddedTokens = told ?? estimateAll(texts);
  return {
    embeddedTexts: texts.length,
    embeddedTokens,
    estimatedTokens: told === undefined ? embeddedTokens : 0,
  };
}

function estimateAll(texts: string[]): number {
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0);
}

function meteredReranker(
  reranker: Reranker | undefined,
  use: Use,
  ports: TimedRecords,
): Reranker | undefined {
  if (reranker === undefined) return undefined;
  return {
    model: reranker.model,
    async rerank(query, documents, options) {
      let rerankedTexts = 0;
      try {
        const scores = await reranker.rerank(query, documents, options);
        rerankedTexts = scores.filter((score) => score !== undefined).length;
        return scores;
      } finally {
        recordUsage(ports, use, reranker.model, { calls: 1, rerankedTexts });
      }
    },
  };
}

/** Counts only calls, because the model is the operator's own. */
function meteredEntailment(
  entailment: Entailment | undefined,
  use: Use,
  ports: TimedRecords,
): Entailment | undefined {
  return (
    entailment && {
      model: entailment.model,
      entail: (pairs, options) =>
        entailment
          .entail(pairs, options)
          .finally(() => recordUsage(ports, use, entailment.model, { calls: 1 })),
    }
  );
}

/** Counts searches, under the name of the provider. */
export function meteredWebSearch(webSearch: WebSearch, use: Use, ports: TimedRecords): WebSearch {
  return {
    ...webSearch,
    search: (query, options) =>
      webSearch.search(query, options).finally(() => recordUsage(ports, use, webSearch.name, { calls: 1 })),
  };
}

/** Meters commands. A command counts for as long as its caller waited; a rejected one counts as a call. */
export function meteredCommands(commands: Commands, use: Use, ports: TimedRecords): Commands {
  return {
    async run(command) {
      const startedAt = ports.clock.now();
      try {
        return await commands.run(command);
      } finally {
        const commandMs = Math.max(0, Math.round(ports.clock.now() - startedAt));
        recordUsage(ports, use, '', { calls: 1, commandMs });
      }
    },
  };
}
