/** Turns texts into vectors. */
export interface Embedder {
  /** The model's name; vectors of different models (or dimensions) are never compared. */
  readonly model: string;
  /** Maximum number of texts per call. */
  readonly batchSize: number;
  /**
   * Returns one unit-length vector per text, in order. Empty texts aren't allowed. Retries transient failures (429, 5xx,
   * network) with backoff; throws UpstreamFailed when it gives up.
   */
  embed(texts: string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /**
   * Returns the embedder of another model, for questions about an index of that model, if a configured
   * service may have the model. The service may turn out not to have it, or answer with another model under
   * that name. Absent if there is only one model.
   */
  ofModel?(model: string): Embedder | undefined;
}

export interface EmbedOptions {
  signal?: AbortSignal;
  /**
   * True if the texts are questions, which some models embed differently from passages. A user is waiting, so
   * there are at most two attempts.
   */
  question?: boolean;
  /** Called with the number of tokens that the service counted; not called if it doesn't report one. */
  onTokens?: (tokens: number) => void;
}
