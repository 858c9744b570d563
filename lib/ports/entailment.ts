/** Tells whether a text entails a sentence: a model of natural language inference (NLI), or one that checks facts. */
export interface Entailment {
  readonly model: string;
  /**
   * Returns the scores in the order of the pairs; undefined for a pair that wasn't scored. One attempt; throws UpstreamFailed without
   * an answer.
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
  /** 0 from a model that only distinguishes entailed sentences from others. */
  contradiction: number;
}

interface EntailOptions {
  signal: AbortSignal;
  /** A model on this host scores as many pairs as it can in this time, the first ones first; a service scores all. */
  withinMs: number;
}
