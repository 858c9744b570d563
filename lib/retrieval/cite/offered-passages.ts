import { flat } from '../../api-contract/flat.ts';
import type { Passage } from '../../ports/vectors.ts';
import { type Rarity, rarityIn } from './likeness.ts';
import { likestPlaces, readSentences, type SentenceRun } from './quote.ts';
import { weightedTerms } from './terms.ts';

/**
 * The maximum number of passages to compare with a sentence. An agent run may get hundreds; only the last
 * ones are compared.
 */
const MAX_COMPARED = 60;
/** The number of passages to search per sentence: those that share most of its terms. */
const MAX_READ = 2;

interface ReadPassage {
  at: number;
  text: string;
  pieces: SentenceRun[][];
  terms: Set<string>;
}

/** The passages that a model was given, for comparison with sentences of its answer. Parsed passages are cached. */
export class OfferedPassages {
  readonly all: readonly Passage[];
  #read: { passages: ReadPassage[]; rarity: Rarity } | undefined;
  #flat: string[] | undefined;
  #last: { claim: string; scores: Map<number, number> } | undefined;

  constructor(all: readonly Passage[]) {
    this.all = all;
  }

  /**
   * Returns how much of a sentence each passage covers, from 0 to 1, by its index in `all`. Omits passages
   * that share nothing with the sentence.
   */
  scoresOf(claim: string): ReadonlyMap<number, number> {
    if (this.#last?.claim !== claim) this.#last = { claim, scores: this.#compare(claim) };
    return this.#last.scores;
  }

  /** Returns whether any passage contains these words, ignoring differences in white space. */
  say(words: string): boolean {
    return this.#texts().some((text) => text.includes(flat(words).toLowerCase()));
  }

  /** Returns the same for one passage, numbered from 1. */
  says(number: number, words: string): boolean {
    return this.#texts()[number - 1]?.includes(flat(words).toLowerCase()) === true;
  }

  #texts(): string[] {
    this.#flat ??= this.all.map(({ text, context }) => flat(`${context}\n${text}`).toLowerCase());
    return this.#flat;
  }

  #compare(claim: string): Map<number, number> {
    const { passages, rarity } = this.#readAll();
    const wanted = weightedTerms(claim);
    const near = passages
      .map((passage) => ({ passage, shared: sharedBy(wanted, passage.terms, rarity) }))
      .filter(({ shared }) => shared > 0)
      .toSorted((one, other) => other.shared - one.shared)
      .slice(0, MAX_READ);
    return new Map(
      near.flatMap(({ passage: { at, text, pieces } }) => {
        const [best] = likestPlaces(text, pieces, { claim, rarity });
        return best === undefined ? [] : [[at, best.score]];
      }),
    );
  }

  #readAll() {
    this.#read ??= readAll(this.all);
    return this.#read;
  }
}

function readAll(all: readonly Passage[]) {
  const first = Math.max(0, all.length - MAX_COMPARED);
  const passages = all.slice(first).map(({ text }, place): ReadPassage => {
    const pieces = readSentences(text, [{ start: 0, end: text.length }]);
    const terms = new Set(pieces.flat().flatMap((sentence) => sentence.terms.map((term) => term.text)));
    return { at: first + place, text, pieces, terms };
  });
  return { passages, rarity: rarityIn(passages.flatMap(({ pieces }) => pieces.flat())) };
}

function sharedBy(wanted: { text: string; meaning: number }[], terms: Set<string>, rarity: Rarity): number {
  return wanted.reduce((sum, { text, meaning }) => (terms.has(text) ? sum + meaning * rarity(text) : sum), 0);
}
