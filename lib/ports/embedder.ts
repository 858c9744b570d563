/** Turns texts into vectors. */
export interface Embedder {
  /** The model's name; vectors of different models (or dimensions) are never compared. */
  readonly model: string;
  /** How many texts one call may carry. */
  readonly batchSize: number;
  /**
   * One unit-length vector a text, in order. Empty texts are not allowed. Retries what may pass (429, 5xx, network)
   * with back-off; throws UpstreamFailed when it gives up.
   */
  embed(texts: string[], options?: { signal?: AbortSignal }): Promise<Float32Array[]>;
}
