import type { Embedder } from '../ports/embedder.ts';

/** Passages that were never embedded: search by words only. */
export const LEXICAL = 'lexical';

/** The space (lib/ports/vectors.ts) that an embedder fills; safe as the name of a folder. */
export function spaceOf(embedder: Pick<Embedder, 'model'> | undefined): string {
  return embedder === undefined ? LEXICAL : `model-${embedder.model.replace(/[^A-Za-z0-9.-]/g, '_')}`;
}
