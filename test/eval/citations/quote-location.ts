import type { TextRun } from '../../../lib/formats/format.ts';
import type { LocatedClaim } from './collections.ts';

/** Chooses the location in a document that says the same as a claim. */
export type Locate = (located: LocatedClaim) => TextRun | undefined;

/** Quality of the chosen locations: shares from 0 to 1. */
export interface Location {
  /** The share of claims for which a location was chosen. */
  found: number;
  /** The share of claims whose location contains a sentence of the evidence. */
  hit: number;
  /** The share of claims whose location contains all sentences of one set of evidence. */
  whole: number;
  /** The share of chosen sentences that are evidence, per claim with a location. */
  precision: number;
  /** Mean characters of a location. */
  length: number;
  /** Mean and maximum milliseconds per claim. */
  ms: number;
  longestMs: number;
}

export function measureLocation(claims: LocatedClaim[], locate: Locate): Location {
  const results = claims.map((located) => measureOne(located, locate));
  const found = results.filter(({ length }) => length > 0);
  const times = results.map(({ ms }) => ms);
  return {
    found: found.length / results.length,
    hit: mean(results.map(({ hit }) => hit)),
    whole: mean(results.map(({ whole }) => whole)),
    precision: mean(found.map(({ precision }) => precision)),
    length: mean(found.map(({ length }) => length)),
    ms: mean(times),
    longestMs: Math.max(...times),
  };
}

function measureOne(located: LocatedClaim, locate: Locate) {
  const began = performance.now();
  const place = locate(located);
  const ms = performance.now() - began;
  if (place === undefined) return { hit: 0, whole: 0, precision: 0, length: 0, ms };
  const chosen = located.sentences.flatMap((sentence, at) => (isIn(place, sentence) ? [at] : []));
  const gold = new Set(located.gold.flat());
  const right = chosen.filter((at) => gold.has(at)).length;
  return {
    hit: Math.min(right, 1),
    whole: located.gold.some((set) => set.every((at) => chosen.includes(at))) ? 1 : 0,
    precision: chosen.length === 0 ? 0 : right / chosen.length,
    length: place.end - place.start,
    ms,
  };
}

/** Returns whether most of a sentence is in a location, or most of the location is in the sentence. */
function isIn(place: TextRun, sentence: TextRun): boolean {
  const shared = Math.min(place.end, sentence.end) - Math.max(place.start, sentence.start);
  return shared > 0 && 2 * shared >= Math.min(place.end - place.start, sentence.end - sentence.start);
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
