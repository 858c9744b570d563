import type { PassageRow } from '../../../lib/ports/vectors.ts';

/** Returns a file whose rows all contain the commit that wrote them. The rows of a complete commit agree. */
export const GENERATION_ROWS = 20;

export function generationRows(generation: number): PassageRow[] {
  const place = { startLine: 1, endLine: 1, startChar: 0, endChar: 1, part: {}, context: '' };
  return Array.from({ length: GENERATION_ROWS }, (_, chunk) => ({
    ...{ path: 'a', chunk, fileHash: String(generation), text: `word ${generation}`, ...place },
    vector: Float32Array.of(1, 0, 0, 0),
  }));
}
