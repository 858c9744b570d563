import { withCircuitBreaker } from '../async/circuit-breaker.ts';
import { withTimeout } from '../async/with-timeout.ts';
import { log } from '../log.ts';
import { embeddedText } from '../passages/embedded-text.ts';
import { type Clock, systemClock } from '../ports/clock.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { PassageRow, PassageTable } from '../ports/vectors.ts';

/**
 * Returns the embedder for questions about an index of this model. Undefined if no embedder is configured.
 */
export function embedderOf(model: string | null, configured: Embedder | undefined): Embedder | undefined {
  if (model === null) return undefined;
  return configured?.model === model ? configured : configured?.ofModel?.(model);
}

/** Returns an embedder that embeds each question once, however many tables are searched for it. */
export function embedderOfOneQuestion(embedder: Embedder): Embedder {
  const vectors = new Map<string, Promise<Float32Array[]>>();
  const others = new Map<string, Embedder | undefined>();
  const ofModel = (model: string) => {
    if (!others.has(model)) {
      const other = embedder.ofModel?.(model);
      others.set(model, other && embedderOfOneQuestion(other));
    }
    return others.get(model);
  };
  const embed: Embedder['embed'] = (texts, options) => {
    if (!options?.question) return embedder.embed(texts, options);
    const key = JSON.stringify(texts);
    const made = vectors.get(key) ?? embedder.embed(texts, options);
    vectors.set(key, made);
    return made;
  };
  return { model: embedder.model, batchSize: embedder.batchSize, embed, ofModel };
}

interface Asked {
  embedder: Embedder;
  /** True for the configured embedder. It needn't prove that it created the table's vectors. */
  isConfigured: boolean;
  question: string;
  deadlineMs: number;
  clock?: Clock | undefined;
}

/**
 * Returns the question's vector; undefined if no vector is available now. An embedder that has failed isn't
 * called for a moment, so that searches don't wait for it one after another.
 */
export async function embedQuestion(
  table: PassageTable,
  { embedder, isConfigured, question, deadlineMs, clock = systemClock }: Asked,
): Promise<Float32Array | undefined> {
  if (question.trim() === '') return undefined;
  const ask = async (signal: AbortSignal) => {
    const [vector] = await embedder.embed([question], { signal, question: true });
    return isConfigured || (await hasMade(embedder, table, signal)) ? vector : undefined;
  };
  const failure = 'the question was not embedded';
  // If another service refuses the request, the model may be at fault instead of the question.
  const service = { name: embedder.model, clock, failure, restsWhenRefused: !isConfigured };
  return withCircuitBreaker(service, () => withTimeout(deadlineMs, ask));
}

/** Models whose embedders have proved, in this process, that they really serve that model. */
const proven = new Set<string>();
/**
 * The minimum similarity of two vectors of one text: nearly 1 for the same model, apart from the wrapping, and about 0
 * for different models.
 */
const SAME_MODEL = 0.5;

/**
 * Returns whether the embedder created the table's vectors. Some servers use their only model, whatever name
 * is requested. So a passage of the table is embedded again, and must be close to its stored vector. A table
 * without vectors counts as created by another model.
 */
async function hasMade(embedder: Embedder, table: PassageTable, signal: AbortSignal): Promise<boolean> {
  if (proven.has(embedder.model)) return true;
  const row = await anyRow(table);
  if (row === undefined) return false;
  const [again] = await embedder.embed([embeddedText(row)], { signal });
  const isSame = again?.length === row.vector?.length && cosine(row.vector, again) > SAME_MODEL;
  if (isSame) proven.add(embedder.model);
  else log.warn('the embedding service does not have the model of the index', { model: embedder.model });
  return isSame;
}

async function anyRow(table: PassageTable): Promise<PassageRow | undefined> {
  for await (const [passage] of table.passages()) {
    if (passage === undefined) continue;
    return (await table.rowsOf(passage.path)).find(({ vector }) => vector !== null);
  }
  return undefined;
}

/** Returns the cosine of two unit vectors of the same length. */
function cosine(a: Float32Array | null | undefined, b: Float32Array | undefined): number {
  return a?.reduce((sum, value, index) => sum + value * (b?.[index] ?? 0), 0) ?? 0;
}
