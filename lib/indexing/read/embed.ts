import { UpstreamFailed } from '../../errors.ts';
import { requireRefusal } from '../../known-error.ts';
import { log } from '../../log.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Embedder } from '../../ports/embedder.ts';
import { learnPace, lostAfter, nextBatch, type Pace, paceOf } from './adaptive-batching.ts';

/**
 * Milliseconds after which no further call starts. The rest goes to another message, behind those of other
 * workspaces.
 */
const PATIENCE_MS = 90_000;
/** Milliseconds from the start of work on the message. Embedding always gets its minimum time. */
const LATEST_MS = 200_000;
const LEAST_MS = 30_000;
/**
 * In milliseconds: well below the index worker's own time limit (serverless.yml), so that embedded texts
 * aren't lost.
 */
const LIMIT_MS = 270_000;
/**
 * Milliseconds after which a slow service's results go to the writer, so that a sync shows its progress, and
 * a kill loses little.
 */
const SLICE_MS = 15_000;
/** The number of vectors to cache for repeated texts, such as headers and licenses: at most 6 MB. */
const MOST_KEPT = 1000;
/** The number of texts refused individually after which the service counts as refusing all texts. */
const MOST_REFUSED = 10;

/** The state of embedding during a message. After a failure, no further text is requested. */
export interface Embedding {
  embedder: Embedder | undefined;
  pace: Pace | undefined;
  clock: Clock;
  /** When no further call starts, in milliseconds since the epoch. */
  until: number;
  /** Ends all embedding, because no call may continue after the function has ended. */
  signal: AbortSignal;
  found: Map<string, Float32Array>;
  /** Texts that the service rejects even alone, for example because they are too long. */
  refused: Set<string>;
  /** The minimum time before a call counts as lost. Only tests set it. */
  lostAfterMs?: number;
  /** Number of embedded texts. */
  texts: number;
  failed?: string;
}

/** `startedAt` is the clock's time when the work on the message started. */
export function startEmbedding(
  { embedder, clock }: { embedder: Embedder | undefined; clock: Clock },
  startedAt: number,
): Embedding {
  const now = clock.now();
  const limitMs = Math.max(LEAST_MS, LIMIT_MS - (now - startedAt));
  return {
    embedder,
    pace: embedder && paceOf(embedder),
    clock,
    until: Math.max(Math.min(now + PATIENCE_MS, startedAt + LATEST_MS), now + LEAST_MS),
    signal: AbortSignal.timeout(limitMs),
    found: new Map(),
    refused: new Set(),
    texts: 0,
  };
}

/**
 * Returns true if the time for this message is over. Never without an embedder or after a failure, because
 * then nothing remains to request.
 */
export function isTimeOver(embedding: Embedding): boolean {
  return embedding.pace !== undefined && embedding.failed === undefined && sizeOfNext(embedding) === 0;
}

/** A message embeds at least one text, however slowly. Otherwise, it would be handed off forever. */
function sizeOfNext({ pace, clock, until, texts, failed }: Embedding): number {
  if (pace === undefined || failed !== undefined) return 0;
  const size = nextBatch(pace, until - clock.now());
  return size === 0 && texts === 0 ? 1 : size;
}

/**
 * Returns vectors for the texts, from the first text on; fewer than texts if a time slice is over. Requests
 * no text twice. Vectors are null from the first batch on that the embedder failed for (`failed` says why),
 * and always without an embedder.
 */
export async function embedTexts(embedding: Embedding, texts: string[]): Promise<(Float32Array | null)[]> {
  if (embedding.embedder === undefined) return texts.map(() => null);
  const { found, refused } = embedding;
  if (found.size > MOST_KEPT) found.clear();
  const isSettled = (text: string) => found.has(text) || refused.has(text);
  const missing = [...new Set(texts)].filter((text) => !isSettled(text));
  await embedInOrder(embedding, embedding.embedder, missing);
  if (embedding.failed !== undefined) return texts.map((text) => found.get(text) ?? null);
  const left = texts.findIndex((text) => !isSettled(text));
  return texts.slice(0, left === -1 ? texts.length : left).map((text) => found.get(text) ?? null);
}

/**
 * Makes as many concurrent calls as the pace allows until the slice is over, then waits for calls in
 * progress.
 */
async function embedInOrder(embedding: Embedding, embedder: Embedder, texts: string[]): Promise<void> {
  const { clock, pace } = embedding;
  const sliceEnds = clock.now() + SLICE_MS;
  const calls = new Set<Promise<void>>();
  for (let next = 0; next < texts.length && clock.now() < sliceEnds; ) {
    const size = sizeOfNext(embedding);
    if (size === 0) break;
    if (calls.size >= (pace?.atOnce ?? 1)) {
      await Promise.race(calls);
      continue;
    }
    const batch = texts.slice(next, next + size);
    next += batch.length;
    const call: Promise<void> = embedBatch(embedding, embedder, batch).finally(() => calls.delete(call));
    calls.add(call);
  }
  await Promise.all(calls);
}

async function embedBatch(embedding: Embedding, embedder: Embedder, batch: string[]): Promise<void> {
  const { clock, pace, found } = embedding;
  const startedAt = clock.now();
  try {
    const vectors = await askTwice(embedding, embedder, batch);
    if (pace !== undefined) learnPace(pace, embedder, { texts: batch.length, ms: clock.now() - startedAt });
    for (const [index, text] of batch.entries()) {
      const vector = vectors[index];
      if (vector === undefined) embedding.failed = 'A vector is missing.';
      else found.set(text, vector);
    }
    embedding.texts += vectors.length;
  } catch (error) {
    if (isRefusal(error) && embedding.refused.size < MOST_REFUSED)
      await findRefused(embedding, embedder, batch);
    else giveUp(embedding, batch, error);
  }
}

/** Makes a second call if the first one counts as lost. Only its texts are requested twice. */
async function askTwice(
  { pace, signal, lostAfterMs }: Embedding,
  embedder: Embedder,
  batch: string[],
): Promise<Float32Array[]> {
  const limitMs = pace && lostAfter(pace, batch.length, lostAfterMs);
  if (limitMs === undefined) return embedder.embed(batch, { signal });
  const lost = AbortSignal.timeout(limitMs);
  try {
    return await embedder.embed(batch, { signal: AbortSignal.any([signal, lost]) });
  } catch (error) {
    if (!lost.aborted || signal.aborted) throw error;
    log.warn('the embedding service did not answer, and is asked again', { texts: batch.length, limitMs });
    return embedder.embed(batch, { signal });
  }
}

function giveUp(embedding: Embedding, batch: string[], error: unknown): void {
  const { signal } = embedding;
  if (!signal.aborted) requireRefusal(error);
  embedding.failed = signal.aborted ? 'It took too long.' : (error as Error).message;
  log.warn('embedding failed', { texts: batch.length, reason: embedding.failed });
}

function isRefusal(error: unknown): boolean {
  return error instanceof UpstreamFailed && error.refusedRequest;
}

/**
 * Halves the texts until the refused one is found. Otherwise, other files' texts would fail with it, in this
 * sync and in every later one.
 */
async function findRefused(embedding: Embedding, embedder: Embedder, batch: string[]): Promise<void> {
  const [only = ''] = batch;
  if (batch.length === 1) {
    embedding.refused.add(only);
    log.warn('the embedding service refuses a text', { characters: only.length });
    return;
  }
  const middle = Math.ceil(batch.length / 2);
  for (const half of [batch.slice(0, middle), batch.slice(middle)]) {
    if (embedding.failed === undefined) await embedBatch(embedding, embedder, half);
  }
}
