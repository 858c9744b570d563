import type { Embedder } from '../ports/embedder.ts';

/** Passages that were never embedded: search by words only. */
const LEXICAL = 'lexical';
const MODEL = 'model-';
/**
 * How rows are laid out, and which text of theirs is embedded. With a higher one each workspace is read again into a
 * table of its own, by its next sync or the first change of a file, while the old table answers. Layout 1 bears no name.
 */
const LAYOUT = '_v2';
const ANY_LAYOUT = /_v\d+$/;

/**
 * The space (lib/ports/vectors.ts) that an embedder fills; safe as the name of a folder. Characters that are not are
 * written as `_` and their bytes in hex, so that no two models share a space and the name can be told from it.
 */
export function embeddingSpaceOf(embedder: Pick<Embedder, 'model'> | undefined): string {
  if (embedder === undefined) return LEXICAL + LAYOUT;
  return MODEL + embedder.model.replace(/[^A-Za-z0-9.-]/gu, inHex) + LAYOUT;
}

function inHex(character: string): string {
  return Array.from(Buffer.from(character), (byte) => `_${byte.toString(16).padStart(2, '0')}`).join('');
}

/** The model whose vectors a space holds; null = words only. */
export function modelOf(space: string): string | null {
  const name = space.replace(ANY_LAYOUT, '');
  if (name === LEXICAL) return null;
  return decodeURIComponent(name.slice(MODEL.length).replace(/_([0-9a-f]{2})/g, '%$1'));
}
