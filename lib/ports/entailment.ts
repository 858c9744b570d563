/** Scores whether a text entails a sentence, by a natural language inference (NLI) or fact-checking model. */
export interface Entailment {
  readonly model: string;
  /**
   * Returns the scores in the order of the pairs; undefined for a pair without a score. Makes one attempt.
   * Throws UpstreamFailed if there is no answer.
   */
  entail(pairs: EntailmentPair[], options: EntailOptions): Promise<(EntailmentScores | undefined)[]>;
}

export interface EntailmentPair {
  premise: string;
  /** The sentence. */
  hypothesis: string;
}

/** Probabilities, from 0 to 1. */
export interface EntailmentScores {
  entailment: number;
  /** 0 from a model that only distinguishes entailed sentences from all others. */
  contradiction: number;
}

interface EntailOptions {
  signal: AbortSignal;
  /**
   * Milliseconds in which a model on this host scores as many pairs as it can, in order. A service scores all
   * pairs.
   */
  withinMs: number;
}
