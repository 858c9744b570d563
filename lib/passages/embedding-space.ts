import type { Embedder } from '../ports/embedder.ts';

/** Passages that were never embedded: search by words only. */
export const LEXICAL = 'lexical';
const PREFIX = 'model-';

/**
 * The space (lib/ports/vectors.ts) that an embedder fills; safe as the name of a folder. Characters that are not are
 * written as `_` and their bytes in hex, so that no two models share a space and the name can be told from it.
 */
export function embeddingSpaceOf(embedder: Pick<Embedder, 'model'> | undefined): string {
  return embedder === undefined ? LEXICAL : PREFIX + embedder.model.replace(/[^A-Za-z0-9.-]/gu, inHex);
}

function inHex(character: string): string {
  return Array.from(Buffer.from(character), (byte) => `_${byte.toString(16).padStart(2, '0')}`).join('');
}

/** The model whose vectors a space holds; null = words only. */
export function modelOf(space: string): string | null {
  if (space === LEXICAL) return null;
  return decodeURIComponent(space.slice(PREFIX.length).replace(/_([0-9a-f]{2})/g, '%$1'));
}
