import { type FoldedText, foldText } from '../../api-contract/fold-text.ts';
import type { TextRun } from '../../formats/format.ts';
import { cutsEnd, cutsStart } from '../../retrieval/cite/cut-ends.ts';
import { nearestPlace } from '../../retrieval/cite/nearest.ts';

export interface SearchedText {
  text: string;
  /** The readable runs, in order. */
  runs: TextRun[];
}

/** A quote that is looked for. */
export interface Wanted {
  quote: string;
  /** Where it is expected: of several places, the nearest is taken. */
  expected: number;
  /** Whether it may be the beginning of a longer one, so that it ends anywhere. */
  isKeptShort: boolean;
  /** Whether it may be within a word or a number: if it is nowhere else, or in any case. */
  mayBeCut: 'no' | 'else' | 'yes';
}

export interface FoundRun extends TextRun {
  isCut: boolean;
}

/**
 * Returns where a text contains quotes, in one pass over it for each. They are compared in their folded spelling: line breaks, ligatures,
 * or the composition of letters may differ. `5 mg` isn't in `1.5 mg`, and nothing holds right after a denial.
 */
export function findRuns(source: SearchedText, wanted: Wanted[]): (FoundRun | undefined)[] {
  const foldings = new Map<boolean, FoldedText>();
  const folded = (joined: boolean) => {
    const known = foldings.get(joined) ?? foldText(source.text, { joined });
    foldings.set(joined, known);
    return known;
  };
  return wanted.map((each) => {
    const { mayBeCut } = each;
    const whole = mayBeCut === 'yes' ? undefined : findOne(source, folded, each, false);
    if (whole !== undefined || mayBeCut === 'no') return whole && { ...whole, isCut: false };
    const cut = findOne(source, folded, each, true);
    return cut && { ...cut, isCut: true };
  });
}

type Folded = (joined: boolean) => FoldedText;

function findOne(source: SearchedText, folded: Folded, wanted: Wanted, isCut: boolean): TextRun | undefined {
  const { quote, expected } = wanted;
  const fits = (place: TextRun) => isCut || isWhole(source.text, place, wanted);
  const exact = nearestPlace(source, quote, expected, fits);
  if (exact !== undefined) return exact;
  for (const joined of [true, false]) {
    const { text, placeOf, foldedAt } = folded(joined);
    const spelling = foldedQuote(wanted, joined);
    const read = { text, runs: source.runs, placeOf };
    const found = spelling === '' ? undefined : nearestPlace(read, spelling, foldedAt(expected), fits);
    if (found !== undefined) return found;
    if (!DIVIDED.test(source.text)) break;
  }
  return undefined;
}

/** A word that may continue on the next line, or have a hyphen there. */
const DIVIDED = /\p{L}[-\u00AD\u2010\u058A]\s*\n/u;

/** Its last letter may lack the marks that follow it in the file. */
function foldedQuote({ quote, isKeptShort }: Wanted, joined: boolean): string {
  const { text } = foldText(quote.trim(), { joined });
  return isKeptShort ? text.slice(0, -1).trimEnd() : text;
}

const DENIED = /(?:[不没未无非]|(?<![\p{L}\p{M}])(?:not|never|no|cannot|without)\s+|n['’]t\s+)$/iu;
const LONGEST_DENIAL = 10;

function isWhole(text: string, place: TextRun, { isKeptShort }: Wanted): boolean {
  if (cutsStart(text, place.start)) return false;
  if (!isKeptShort && cutsEnd(text, place.end)) return false;
  return !DENIED.test(text.slice(Math.max(0, place.start - LONGEST_DENIAL), place.start));
}
