import type { Term } from './terms.ts';

/** The share of a claim that a growing set of sentences covers. */
export interface Coverage {
  add(terms: Term[]): void;
  /** Returns a score for comparing sentences of one document. Rare terms count more. */
  score(): number;
  /** Returns a score from 0 to 1 that is comparable between documents. */
  likeness(): number;
}

/** A claim with which sentences of a document are compared. */
export interface Comparison {
  /** Starts with no sentences. */
  start(): Coverage;
  /** Returns how much meaning a sentence shares with the claim. */
  sharedBy(terms: Term[]): number;
  /**
   * Returns the maximum likeness for sentences that share this much with the claim, whatever else they say.
   */
  mostLike(shared: number): number;
}

/** The weight of coverage in the F-measure. Adding text helps only if more of the claim is covered. */
const COVERAGE = 4;
/** The minimum number of sentences. A shorter text doesn't show which of its words are rare. */
const LEAST_SENTENCES = 20;
const LEAST_RARITY = 0.2;

/** Compares sentences of a document with a claim. The weight of a term is its rarity in the document. */
export function likenessTo(claim: Term[], rarity: Rarity): Comparison {
  const wanted = new Map(claim.map(({ text, weight }) => [text, weight * rarity(text)]));
  const total = [...wanted.values()].reduce((sum, weight) => sum + weight, 0);
  const meaning = claim.reduce((sum, term) => sum + term.meaning, 0);
  const start = (): Coverage => {
    const seen = new Set<string>();
    const own = { weight: 0, meaning: 0 };
    const shared = { weight: 0, meaning: 0 };
    const addOne = (term: Term) => {
      seen.add(term.text);
      own.weight += term.meaning * rarity(term.text);
      own.meaning += term.meaning;
      const weight = wanted.get(term.text);
      if (weight === undefined) return;
      shared.weight += weight;
      shared.meaning += term.meaning;
    };
    return {
      add: (terms) => {
        for (const term of terms) if (!seen.has(term.text)) addOne(term);
      },
      score: () => fMeasure(shared.weight, total, own.weight),
      likeness: () => fMeasure(shared.meaning, meaning, own.meaning),
    };
  };
  return {
    start,
    sharedBy: (terms) => terms.reduce((sum, term) => (wanted.has(term.text) ? sum + term.meaning : sum), 0),
    mostLike: (shared) => fMeasure(shared, meaning, 0),
  };
}

function fMeasure(shared: number, wanted: number, own: number): number {
  return ((COVERAGE + 1) * shared) / (COVERAGE * wanted + own);
}

/** The rarity of a term, from 0.2 (in every sentence) to 1 (in none). */
export type Rarity = (term: string) => number;

export function rarityIn(sentences: { terms: Term[] }[]): Rarity {
  const counts = new Map<string, number>();
  for (const { terms } of sentences)
    for (const { text } of terms) counts.set(text, (counts.get(text) ?? 0) + 1);
  const all = Math.max(LEAST_SENTENCES, sentences.length);
  const most = Math.log(1 + (all + 0.5) / 0.5);
  const byCount: number[] = [];
  return (term) => {
    const count = counts.get(term) ?? 0;
    byCount[count] ??= Math.max(LEAST_RARITY, Math.log(1 + (all - count + 0.5) / (count + 0.5)) / most);
    return byCount[count];
  };
}
