import type { Reranker } from '../../lib/ports/reranker.ts';

/**
 * Replaces a reranker: scores a text by how many of a question's character trigrams it contains. It tests the
 * code path, not the gain of a model.
 */
export const trigramReranker: Reranker = {
  model: 'trigrams',
  async rerank(query, documents) {
    const wanted = trigrams(query);
    return documents.map((text) => {
      const held = trigrams(text);
      return [...wanted].filter((trigram) => held.has(trigram)).length / Math.max(1, wanted.size);
    });
  },
};

function trigrams(text: string): Set<string> {
  const plain = text.toLowerCase().replace(/\s+/g, ' ');
  return new Set(Array.from({ length: Math.max(0, plain.length - 2) }, (_, at) => plain.slice(at, at + 3)));
}
