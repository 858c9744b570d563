import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import * as z from 'zod';
import { withTimeout } from '../../lib/async/with-timeout.ts';
import { InvalidInput, NotFound, ServiceError, TooLarge, Unauthorized } from '../../lib/errors.ts';
import { log } from '../../lib/log.ts';
import type { LabelPair, ScoreText } from './cross-encoders.ts';
import type { EmbedTexts } from './embedding-model.ts';
import type { ModelKind, ModelManifest } from './manifest.ts';
import { type Kind, oneRunAtATime } from './turns.ts';

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MAX_TEXTS = 100;
/**
 * Number of texts per run of the embedding model. After each run, a question may go first. Batching doesn't
 * make pairs faster.
 */
const TEXTS_AT_ONCE = 4;
/** Maximum value of `max_ms`. */
const LONGEST_MS = 600_000;
/** Maximum number of requests waiting for a model; further ones are rejected. */
const MAX_WAITING = 50;

const embeddingSchema = z.object({
  model: z.string(),
  input: z.union([z.string(), z.array(z.string())]).transform((input) => [input].flat()),
  input_type: z.enum(['query', 'passage']).default('passage'),
});

const maxMs = z.int().min(1).max(LONGEST_MS).default(LONGEST_MS);

const rerankSchema = z.object({
  model: z.string(),
  query: z.string().min(1),
  documents: z.array(z.string()),
  top_n: z.int().min(1).optional(),
  /** Our extension: the server scores as many documents as possible in this time, in document order. */
  max_ms: maxMs,
});

const predictSchema = z.object({
  model: z.string(),
  inputs: z.array(z.tuple([z.string(), z.string()])),
  max_ms: maxMs,
});

/** A model of the process; its promise is pending while the model loads, so requests wait for it. */
export type LoadedModel<Model> = Pick<ModelManifest, 'model' | 'prefixes'> & { loaded: Promise<Model> };
export interface Models extends Partial<Record<ModelKind, LoadedModel<unknown> | undefined>> {
  embedder?: LoadedModel<EmbedTexts> | undefined;
  reranker?: LoadedModel<ScoreText> | undefined;
  entailment?: LoadedModel<LabelPair> | undefined;
}

type Turns = ReturnType<typeof oneRunAtATime>;
/** Returns the response to a request's body; ends early when no client waits for it any longer. */
type Answer = (body: unknown, turns: Turns, isGone: () => boolean) => Promise<object>;

/**
 * Serves the embeddings part of OpenAI's protocol, Cohere's `/rerank`, and `/predict` of Text Embeddings Inference,
 * with one model each. Requires the key.
 */
export function embedderServer({ embedder, reranker, entailment }: Models, key: string): Server {
  const turns = oneRunAtATime();
  const routes = new Map<string | undefined, Answer>();
  if (embedder !== undefined) routes.set('/v1/embeddings', embeddings(embedder));
  if (reranker !== undefined) routes.set('/v1/rerank', rerank(reranker));
  if (entailment !== undefined) routes.set('/v1/predict', predict(entailment));
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (!hasKey(request, key)) throw new Unauthorized('invalid_credential');
    const route = request.method === 'POST' ? routes.get(request.url) : undefined;
    if (route === undefined) throw new NotFound('route_not_found', 'This route does not exist.');
    const body = parse(await readBody(request));
    if (turns.waiting() >= MAX_WAITING)
      throw new ServiceError('server_busy', 'Too many requests are waiting. Try again.');
    send(response, 200, await route(body, turns, () => response.destroyed));
  };
  return createServer((request, response) => {
    answer(request, response).catch((error: Error) => refuse(response, error));
  });
}

function embeddings({ model, prefixes, loaded }: NonNullable<Models['embedder']>): Answer {
  return async (body, turns, isGone) => {
    const asked = embeddingSchema.safeParse(body).data;
    if (asked === undefined)
      throw new InvalidInput('body_unreadable', 'The body must be an embedding request.');
    requireModel(asked.model, model);
    requireTexts('input', asked.input);
    const embed = await loaded;
    const texts = asked.input.map((text) => prefixes[asked.input_type] + text);
    const kind = asked.input_type === 'query' ? 'question' : 'passages';
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length && !isGone(); start += TEXTS_AT_ONCE) {
      vectors.push(...(await turns.run(kind, () => embed(texts.slice(start, start + TEXTS_AT_ONCE)))));
    }
    const data = vectors.map((vector, index) => ({ object: 'embedding', index, embedding: [...vector] }));
    return { object: 'list', model, data, usage: { prompt_tokens: 0, total_tokens: 0 } };
  };
}

function rerank({ model, loaded }: NonNullable<Models['reranker']>): Answer {
  return async (body, turns, isGone) => {
    const asked = rerankSchema.safeParse(body).data;
    if (asked === undefined) throw new InvalidInput('body_unreadable', 'The body must be a rerank request.');
    requireModel(asked.model, model);
    requireTexts('documents', asked.documents);
    const byRelevance = (score: ScoreText, document: string) => score(asked.query, document);
    const turn = { kind: 'pair', maxMs: asked.max_ms, turns, isGone } as const;
    const scores = await scoreEach(asked.documents, loaded, byRelevance, turn);
    const results = scores.flatMap((score, index) =>
      score !== undefined && Number.isFinite(score) ? [{ index, relevance_score: score }] : [],
    );
    const best = results.toSorted((a, b) => b.relevance_score - a.relevance_score);
    return { model, results: best.slice(0, asked.top_n) };
  };
}

/** A pair that isn't scored in time gets an empty list. */
function predict({ model, loaded }: NonNullable<Models['entailment']>): Answer {
  return async (body, turns, isGone) => {
    const asked = predictSchema.safeParse(body).data;
    if (asked === undefined)
      throw new InvalidInput('body_unreadable', 'The body must be a request for pairs of texts.');
    requireModel(asked.model, model);
    requireTexts('inputs', asked.inputs.flat());
    const label = (read: LabelPair, pair: [string, string]) => read(...pair);
    const turn = { kind: 'claim', maxMs: asked.max_ms, turns, isGone } as const;
    const labels = await scoreEach(asked.inputs, loaded, label, turn);
    return labels.map((each) => each ?? []);
  };
}

interface Turn {
  kind: Kind;
  maxMs: number;
  turns: Turns;
  isGone: () => boolean;
}

/** Runs a model for one pair after the other, until the time is over or no client waits any longer. */
async function scoreEach<Pair, Model, Score>(
  pairs: Pair[],
  loaded: Promise<Model>,
  score: (model: Model, pair: Pair) => Promise<Score>,
  { kind, maxMs, turns, isGone }: Turn,
): Promise<(Score | undefined)[]> {
  const scores = new Array<Score | undefined>(pairs.length).fill(undefined);
  await withTimeout(maxMs, async (late) => {
    const model = await loaded;
    const isOver = () => late.aborted || isGone();
    for (const [at, pair] of pairs.entries()) {
      if (isOver()) return;
      scores[at] = await turns.run(kind, async () => (isOver() ? undefined : score(model, pair)));
    }
  });
  return [...scores]; // Copied, so that it excludes scores that arrive later.
}

function requireModel(asked: string, model: string): void {
  if (asked !== model)
    throw new NotFound('not_found', `model must be ${model}: the local embedder has no other.`, {
      field: 'model',
    });
}

function requireTexts(field: string, texts: string[]): void {
  if (texts.length > MAX_TEXTS || texts.includes(''))
    throw new InvalidInput(
      'invalid_value',
      `${field} must have at most ${MAX_TEXTS} texts, none of them empty.`,
      { field },
    );
}

function hasKey({ headers }: IncomingMessage, key: string): boolean {
  const [shown, wanted] = [Buffer.from(headers.authorization ?? ''), Buffer.from(`Bearer ${key}`)];
  return shown.length === wanted.length && timingSafeEqual(shown, wanted);
}

/**
 * Returns the body. Reads to the end even if the body is too large, because otherwise the connection would be lost.
 * Throws TooLarge.
 */
async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  if (bytes > MAX_BODY_BYTES) throw new TooLarge('body_too_large', 'The body is over 4 MB.');
  return Buffer.concat(chunks).toString();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refuse(response: ServerResponse, error: Error): void {
  const isTold = error instanceof ServiceError;
  if (!isTold) log.error('the model failed', {}, error);
  const message = isTold ? error.message : 'the model failed';
  send(response, isTold ? error.status : 500, { error: { message, type: 'embedder', code: null } });
}

function send(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
