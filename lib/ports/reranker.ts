/** Scores how well each text answers a question. */
export interface Reranker {
  readonly model: string;
  /**
   * Returns scores in the order of the documents, from 0 (unrelated) to 1; undefined for a document that wasn't scored.
   * Makes one attempt; throws UpstreamFailed without an answer.
   */
  rerank(query: string, documents: string[], options: RerankOptions): Promise<(number | undefined)[]>;
}

interface RerankOptions {
  signal: AbortSignal;
  /** Milliseconds in which a model on this host scores as many documents as it can, in order; a service scores all. */
  withinMs: number;
}
