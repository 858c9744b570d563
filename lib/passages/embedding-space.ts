import type { Embedder } from '../ports/embedder.ts';

/** The space of passages without embeddings: keyword search only. */
const LEXICAL = 'lexical';
const MODEL = 'model-';
/**
 * The suffix for the layout of rows, and for the part of their text that is embedded. After it is increased,
 * each workspace is re-indexed into a new table at its next sync or file change, while searches use the old
 * table. Layout 1 has no suffix.
 */
const LAYOUT = '_v3';
const ANY_LAYOUT = /_v\d+$/;
/**
 * Matches the generation of the model's table, which increases when the model's name returns other vectors.
 * `g` isn't a hexadecimal digit.
 */
const GENERATION = /_g(\d+)(?=_v\d+$)/;

/**
 * Returns the space (lib/ports/vectors.ts) that an embedder fills, in a form that is safe as a folder name.
 * Other characters become `_` and their bytes in hexadecimal, so that no two models share a space and the
 * name can be decoded.
 */
export function embeddingSpaceOf(embedder: Pick<Embedder, 'model'> | undefined): string {
  if (embedder === undefined) return LEXICAL + LAYOUT;
  return MODEL + embedder.model.replace(/[^A-Za-z0-9.-]/gu, inHex) + LAYOUT;
}

function inHex(character: string): string {
  return Array.from(Buffer.from(character), (byte) => `_${byte.toString(16).padStart(2, '0')}`).join('');
}

/** Returns the space without its generation, as `embeddingSpaceOf()` returns it. */
export function firstGeneration(space: string): string {
  return space.replace(GENERATION, '');
}

/** Returns the space that replaces this one when its model's name returns other vectors. */
export function nextGeneration(space: string): string {
  const number = Number(GENERATION.exec(space)?.[1] ?? 1);
  return firstGeneration(space).replace(ANY_LAYOUT, `_g${number + 1}$&`);
}

/** Returns the model whose vectors a space contains; null for keyword search only. */
export function modelOf(space: string): string | null {
  const name = firstGeneration(space).replace(ANY_LAYOUT, '');
  if (name === LEXICAL) return null;
  return decodeURIComponent(name.slice(MODEL.length).replace(/_([0-9a-f]{2})/g, '%$1'));
}
