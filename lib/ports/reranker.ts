/** Scores how well each text answers a question. */
export interface Reranker {
  readonly model: string;
  /**
   * Returns numbers in the order of the documents, from 0 (unrelated) to 1. One attempt; throws UpstreamFailed without an
   * answer.
   */
  rerank(query: string, documents: string[], options: { signal: AbortSignal }): Promise<number[]>;
}
