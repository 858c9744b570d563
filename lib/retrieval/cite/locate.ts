import { type FoldedText, foldText } from '../../api-contract/fold-text.ts';
import type { TextRun } from '../../formats/format.ts';
import { lineStarts } from '../../formats/lines.ts';
import { cutsSomething } from './cut-ends.ts';
import { AFTER_QUOTATION, type Omission } from './left-out.ts';
import { type Fits, isReadable, nearestPlace, type ReadText } from './nearest.ts';

/**
 * Finds the exact position of a quote. A match that starts or ends within a word or a number doesn't count:
 * `5 %` isn't found in `15 %`. Of several matches, returns the one on the claimed line (counted from 1), or
 * the nearest to it.
 */
export function findExactQuote(source: ReadText, quote: string, line?: number): TextRun | undefined {
  if (!HAS_WORD.test(quote)) return undefined;
  const fits = (place: TextRun) => !cutsSomething(source.text, place);
  if (line === undefined) return nearestPlace(source, quote, 0, fits);
  const starts = lineStarts(source.text);
  const [from = source.text.length, to = source.text.length] = starts.slice(Math.max(0, line - 1), line + 1);
  const onLine = (place: TextRun) => place.start >= from && place.start < to && fits(place);
  return nearestPlace(source, quote, from, onLine) ?? nearestPlace(source, quote, from, fits);
}

const HAS_WORD = /[\p{L}\p{N}]/u;
const MAX_QUOTE = 4000;
/** The number of characters to fold around the claimed line. A source may have 20 million characters. */
const MAX_FOLDED = 400_000;
const OUTER_QUOTES = /^\s*["'“”„‘’«»「」『』]+|(?<!["'“”„‘’«»「」『』])["'“”„‘’«»「」『』]+\s*$/gu;
/** A model ends a quote like a sentence, whereas the source may continue, or have no period. */
const FULL_STOP = /(?<![.,;:。，；：])[.,;:。，；：]+\s*$/u;

/**
 * Finds a quote that may differ from the source in white space, in words divided at line ends, in the forms
 * of quotation marks, dashes, and ligatures, in surrounding marks, or in an ellipsis. The place includes the
 * text that an ellipsis omits, within one paragraph. All words and digits must be the same.
 */
export function findAsWritten(source: ReadText, written: string, line = 1): TextRun | undefined {
  if (written.length > MAX_QUOTE) return undefined;
  const bare = written.replace(OUTER_QUOTES, '').trim();
  const spellings = [...new Set([bare, bare.replace(FULL_STOP, '')])];
  const exact = firstFound(spellings, (spelling) => findExactQuote(source, spelling, line));
  if (exact !== undefined) return exact;
  const near = lineStarts(source.text)[Math.max(0, line - 1)] ?? source.text.length;
  const start = source.text.length <= MAX_FOLDED ? 0 : Math.max(0, near - MAX_FOLDED / 2);
  const folded = new FoldedStretch(source, { start, end: start + MAX_FOLDED });
  return firstFound(spellings, (spelling) => folded.find(spelling, { near }) ?? folded.findPieces(spelling));
}

export function firstFound(
  spellings: string[],
  find: (spelling: string) => TextRun | undefined,
): TextRun | undefined {
  for (const spelling of spellings) {
    const found = find(spelling);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A word that may continue on the next line, or have a hyphen there. */
const DIVIDED = /\p{L}[-\u00AD\u2010\u058A]\s*\n/u;
/**
 * The maximum number of characters that an ellipsis may omit. All omissions together are at most as long as
 * the longest quote.
 */
const MAX_LEFT_OUT = 600;
const MAX_STARTS = 1000;
const ELLIPSIS = /(?<!\s)\s*(?:\[\s*(?:…|⋯|\.{3,})\s*\]|\(\s*(?:…|⋯|\.{3,})\s*\)|…+|⋯+|\.{3,})\s*/u;

interface Sought {
  /** The expected place. Of several places, the nearest to it is returned. */
  near: number;
  fits?: Fits;
  /**
   * Whether the quote may be the start of a longer one. Its last letter may then lack the combining marks of
   * the source.
   */
  isBeginning?: boolean;
}

/**
 * A stretch of a source with its folded spelling, which is computed at first use. All places refer to the
 * source.
 */
export class FoldedStretch {
  readonly #source: ReadText;
  readonly #from: number;
  readonly #text: string;
  readonly #known = new Map<boolean, FoldedText>();

  constructor(source: ReadText, { start, end }: TextRun = { start: 0, end: source.text.length }) {
    this.#source = source;
    this.#from = start;
    this.#text = source.text.slice(start, end);
  }

  /** Finds a quote that may differ in line breaks, ligatures, or the composition of letters. */
  find(quote: string, { near, fits = this.#isWhole, isBeginning = false }: Sought): TextRun | undefined {
    return this.#inForms((folded, fold) => {
      const spelling = isBeginning ? fold(quote).slice(0, -1).trimEnd() : fold(quote);
      if (!HAS_WORD.test(spelling)) return undefined;
      return nearestPlace({ ...folded, runs: this.#source.runs }, spelling, folded.foldedAt(near), fits);
    });
  }

  /**
   * Finds the stretch from the first to the last piece of a quote with an ellipsis, if the pieces follow each
   * other closely.
   */
  findPieces(quote: string, mayLeaveOut: (left: Omission) => boolean = () => true): TextRun | undefined {
    if (!ELLIPSIS.test(quote)) return undefined;
    return this.#inForms((folded, fold) => {
      const pieces = quote.split(ELLIPSIS).map(fold).filter(Boolean);
      for (const omission of omissionsIn(folded.text, pieces)) {
        const place = mayLeaveOut(omission) ? folded.placeOf(omission.start, omission.end) : undefined;
        if (place !== undefined && this.#isOneParagraph(place)) return place;
      }
      return undefined;
    });
  }

  #inForms(
    find: (folded: FoldedText, fold: (quote: string) => string) => TextRun | undefined,
  ): TextRun | undefined {
    const findIn = (joined: boolean) =>
      find(this.#folded(joined), (quote) => foldText(quote.trim(), { joined }).text);
    return findIn(true) ?? (DIVIDED.test(this.#text) ? findIn(false) : undefined);
  }

  #folded(joined: boolean): FoldedText {
    const { text, placeOf, foldedAt } = this.#known.get(joined) ?? foldText(this.#text, { joined });
    this.#known.set(joined, { text, placeOf, foldedAt });
    const from = this.#from;
    return {
      text,
      foldedAt: (offset) => foldedAt(offset - from),
      placeOf(start, end) {
        const place = placeOf(start, end);
        return place && { start: place.start + from, end: place.end + from };
      },
    };
  }

  readonly #isWhole = (place: TextRun) => !cutsSomething(this.#source.text, place);

  #isOneParagraph(place: TextRun): boolean {
    const { text, runs } = this.#source;
    const isWhole = this.#isWhole(place) && isReadable(runs, place);
    return isWhole && !/\n\s*\n/.test(text.slice(place.start, place.end));
  }
}

/** Yields the places at which the pieces of a quote follow each other. */
function* omissionsIn(text: string, pieces: string[]): Iterable<Omission & TextRun> {
  const [first = ''] = pieces;
  if (!HAS_WORD.test(first)) return;
  let start = text.indexOf(first);
  for (let starts = 0; start !== -1 && starts < MAX_STARTS; starts++) {
    const omission = omissionAt(text, pieces, start);
    if (omission !== undefined) yield { start, ...omission };
    start = text.indexOf(first, start + 1);
  }
}

function omissionAt(text: string, pieces: string[], start: number): (Omission & { end: number }) | undefined {
  const between: string[] = [];
  let end = start;
  for (const [at, piece] of pieces.entries()) {
    const next = at === 0 ? 0 : text.slice(end, end + MAX_LEFT_OUT + piece.length).indexOf(piece);
    if (next === -1) return undefined;
    if (at > 0) between.push(text.slice(end, end + next));
    end += next + piece.length;
  }
  if (end - start > MAX_QUOTE) return undefined;
  return { end, pieces, between, after: text.slice(end, end + AFTER_QUOTATION) };
}
