/** Scores how well each text answers a question. */
export interface Reranker {
  readonly model: string;
  /**
   * Returns scores in the order of the documents, from 0 (unrelated) to 1; undefined for a document without a
   * score. Makes one attempt. Throws UpstreamFailed if there is no answer.
   */
  rerank(query: string, documents: string[], options: RerankOptions): Promise<(number | undefined)[]>;
}

interface RerankOptions {
  signal: AbortSignal;
  /**
   * Milliseconds in which a model on this host scores as many documents as it can, in order. A service scores
   * all of them.
   */
  withinMs: number;
}
