import type { TextRun } from '../../formats/format.ts';
import { cutsEnd, cutsStart } from '../../retrieval/cite/cut-ends.ts';
import { FoldedStretch } from '../../retrieval/cite/locate.ts';
import { nearestPlace, type ReadText } from '../../retrieval/cite/nearest.ts';

/** A quote to look for. */
export interface Wanted {
  quote: string;
  /** The expected place. Of several places, the nearest to it is returned. */
  expected: number;
  /** Whether it may be the start of a longer quote, so that it may end anywhere. */
  isKeptShort: boolean;
  /** Whether it may be within a word or a number: never, only if it is nowhere else, or in any case. */
  mayBeCut: 'no' | 'else' | 'yes';
}

export interface FoundRun extends TextRun {
  isCut: boolean;
}

/**
 * Returns the places of quotes in a text, in one pass over the text per quote. Compares quotes in their
 * folded spelling, so that line breaks, ligatures, and the composition of letters may differ. `5 mg` isn't
 * found in `1.5 mg`, and a place right after a negation doesn't count.
 */
export function findRuns(source: ReadText, wanted: Wanted[]): (FoundRun | undefined)[] {
  const folded = new FoldedStretch(source);
  return wanted.map((each) => {
    const { quote, expected: near, isKeptShort: isBeginning, mayBeCut } = each;
    const find = (fits: (place: TextRun) => boolean) =>
      nearestPlace(source, quote, near, fits) ?? folded.find(quote, { near, fits, isBeginning });
    const whole = mayBeCut === 'yes' ? undefined : find((place) => isWhole(source.text, place, each));
    if (whole !== undefined || mayBeCut === 'no') return whole && { ...whole, isCut: false };
    const cut = find(() => true);
    return cut && { ...cut, isCut: true };
  });
}

const DENIED = /(?:[不没未无非]|(?<![\p{L}\p{M}])(?:not|never|no|cannot|without)\s+|n['’]t\s+)$/iu;
const LONGEST_DENIAL = 10;

function isWhole(text: string, place: TextRun, { isKeptShort }: Wanted): boolean {
  if (cutsStart(text, place.start)) return false;
  if (!isKeptShort && cutsEnd(text, place.end)) return false;
  return !DENIED.test(text.slice(Math.max(0, place.start - LONGEST_DENIAL), place.start));
}
