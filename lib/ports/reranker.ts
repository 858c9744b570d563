/** Reads a question beside each of some texts, and says how well they answer it. */
export interface Reranker {
  readonly model: string;
  /**
   * Numbers in the order of the documents, from 0 (unrelated) to 1. One try; throws UpstreamFailed when there is no
   * answer.
   */
  rerank(query: string, documents: string[], options: { signal: AbortSignal }): Promise<number[]>;
}
