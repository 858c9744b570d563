import type { Term } from './terms.ts';

/** How much of a claim some sentences say, as they are added one by one. */
export interface Coverage {
  add(terms: Term[]): void;
  /** Compares the sentences of one document: rare terms count more. */
  readonly score: number;
  /** Compares with sentences of any document, from 0 to 1; 0 where only common words are shared. */
  readonly likeness: number;
}

export interface Likeness {
  start(): Coverage;
}

/** The weight of coverage in the F-measure: more text counts only if it covers more of the claim. */
const COVERAGE = 4;
/** A short text doesn't say which of its words are rare. */
const LEAST_SENTENCES = 20;
const LEAST_RARITY = 0.2;
const MEANS_SOMETHING = 0.25;

/** Returns how to compare sentences of a document with a claim, by the rarity of its terms in the document. */
export function likenessTo(claim: Term[], rarity: Rarity): Likeness {
  const wanted = new Map(claim.map(({ text, weight }) => [text, weight * rarity(text)]));
  const total = [...wanted.values()].reduce((sum, weight) => sum + weight, 0);
  const meaning = claim.reduce((sum, term) => sum + term.meaning, 0);
  return { start: () => new Sum(wanted, rarity, { total, meaning }) };
}

class Sum implements Coverage {
  readonly #seen = new Set<string>();
  #own = 0;
  #shared = 0;
  #ownMeaning = 0;
  #sharedMeaning = 0;
  #isAlike = false;
  readonly #wanted: Map<string, number>;
  readonly #rarity: Rarity;
  readonly #of: { total: number; meaning: number };

  constructor(wanted: Map<string, number>, rarity: Rarity, of: { total: number; meaning: number }) {
    this.#wanted = wanted;
    this.#rarity = rarity;
    this.#of = of;
  }

  add(terms: Term[]): void {
    for (const term of terms) {
      if (this.#seen.has(term.text)) continue;
      this.#seen.add(term.text);
      const weight = this.#wanted.get(term.text);
      this.#own += term.meaning * this.#rarity(term.text);
      this.#ownMeaning += term.meaning;
      if (weight === undefined) continue;
      this.#shared += weight;
      this.#sharedMeaning += term.meaning;
      this.#isAlike ||= term.meaning >= MEANS_SOMETHING;
    }
  }

  get score(): number {
    return fMeasure(this.#shared, this.#of.total, this.#own);
  }

  get likeness(): number {
    return this.#isAlike ? fMeasure(this.#sharedMeaning, this.#of.meaning, this.#ownMeaning) : 0;
  }
}

function fMeasure(shared: number, wanted: number, own: number): number {
  return ((COVERAGE + 1) * shared) / (COVERAGE * wanted + own);
}

/** How rare a term is, from 0.2 in every sentence to 1 in none. */
export type Rarity = (term: string) => number;

export function rarityIn(sentences: { terms: Term[] }[]): Rarity {
  const counts = new Map<string, number>();
  for (const { terms } of sentences)
    for (const { text } of terms) counts.set(text, (counts.get(text) ?? 0) + 1);
  const all = Math.max(LEAST_SENTENCES, sentences.length);
  const most = Math.log(1 + (all + 0.5) / 0.5);
  return (term) => {
    const count = counts.get(term) ?? 0;
    return Math.max(LEAST_RARITY, Math.log(1 + (all - count + 0.5) / (count + 0.5)) / most);
  };
}
