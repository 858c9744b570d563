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
  embed(texts: string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /**
   * For questions about an index that another model made: that model, where a configured service may have it. It may
   * turn out that it has not, or answers with a model of its own under that name. Absent: there is only the one.
   */
  ofModel?(model: string): Embedder | undefined;
}

export interface EmbedOptions {
  signal?: AbortSignal;
  /** The texts ask for others: some models embed a question otherwise. Somebody waits, so it is tried twice at most. */
  question?: boolean;
  /** Hears how many tokens the service counted; not called where it does not say. */
  onTokens?: (tokens: number) => void;
}
