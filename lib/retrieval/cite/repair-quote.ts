import { type FoldedText, foldText } from '../../api-contract/fold-text.ts';
import { lineStarts } from '../../formats/lines.ts';
import { findExactQuote, type QuoteHint } from './exact-quote.ts';
import { AFTER_QUOTATION, type Omission } from './left-out.ts';

const MAX_QUOTE = 4000;
/** How much an ellipsis may leave out; all of them together make no more than the longest quote. */
const MAX_LEFT_OUT = 600;
const MAX_TRIES = 1000;
/** How much text around the claimed line is read: a source may have 20 million characters. */
const MAX_FOLDED = 400_000;
const ELLIPSIS = /(?<!\s)\s*(?:\[\s*(?:…|⋯|\.{3,})\s*\]|\(\s*(?:…|⋯|\.{3,})\s*\)|…+|⋯+|\.{3,})\s*/u;
const OUTER_QUOTES = /^\s*["'“”„‘’«»「」『』]+|(?<!["'“”„‘’«»「」『』])["'“”„‘’«»「」『』]+\s*$/gu;
/** A model ends a quote like a sentence; the source continues, or has no full stop. */
const FULL_STOP = /(?<![.,;:。，；：])[.,;:。，；：]+\s*$/u;

export interface RepairHint extends QuoteHint {
  /** Whether an ellipsis may leave this out; default: anything, because the quote that is returned has it. */
  mayLeaveOut?: (left: Omission) => boolean;
}

/** A word that continues on the next line. */
const DIVIDED = /\p{L}[-\u00AD\u2010]\r?\n/u;

/**
 * Returns the source's text for a quote that differs from it only in whitespace, in words divided at line ends, in the forms of
 * quotation marks, dashes, and ligatures, in surrounding marks, or in an ellipsis: then with what was left out, within one
 * paragraph. No word and no digit differs. Undefined if it doesn't appear.
 */
export function repairQuote(text: string, quote: string, hint: RepairHint = {}): string | undefined {
  if (quote.length > MAX_QUOTE) return undefined;
  const bare = quote.replace(OUTER_QUOTES, '').trim();
  const spellings = [...new Set([bare, bare.replace(FULL_STOP, '')])];
  const stands = (found: string) => findExactQuote(text, found, hint) !== undefined;
  return spellings.find(stands) ?? mendings(near(text, hint), spellings, hint).find(stands);
}

function near(text: string, { line = 1 }: QuoteHint): string {
  if (text.length <= MAX_FOLDED) return text;
  const [place = 0] = lineStarts(text).slice(Math.max(0, line - 1));
  const start = Math.max(0, place - MAX_FOLDED / 2);
  return text.slice(start, start + MAX_FOLDED);
}

function mendings(text: string, spellings: string[], hint: RepairHint): string[] {
  const ways = DIVIDED.test(text) ? [true, false] : [false];
  return ways.flatMap((joined) => {
    const folded = { source: text, ...foldText(text, { joined }) };
    return spellings.flatMap((spelling) => findFolded(folded, spelling, hint) ?? []);
  });
}

type FoldedSource = FoldedText & { source: string };

function findFolded(folded: FoldedSource, quote: string, hint: RepairHint): string | undefined {
  return findPieces(folded, [quote], {}) ?? findPieces(folded, quote.split(ELLIPSIS), hint);
}

/** Finds the stretch from the first piece to the last, if they follow each other closely. */
function findPieces(
  folded: FoldedSource,
  quoted: string[],
  { mayLeaveOut = () => true }: RepairHint,
): string | undefined {
  const pieces = quoted.map((piece) => foldText(piece, { joined: false }).text.trim()).filter(Boolean);
  const [first] = pieces;
  if (first === undefined || !/[\p{L}\p{N}]/u.test(first)) return undefined;
  let from = 0;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const start = folded.text.indexOf(first, from);
    if (start === -1) return undefined;
    const omission = omissionAt(folded, pieces, start);
    const found = omission && mayLeaveOut(omission) ? original(folded, start, omission.end) : undefined;
    if (found !== undefined && (pieces.length === 1 || !/\n\s*\n/.test(found))) return found;
    from = start + 1;
  }
  return undefined;
}

function original({ source, placeOf }: FoldedSource, start: number, end: number): string | undefined {
  const place = placeOf(start, end);
  return place && source.slice(place.start, place.end);
}

function omissionAt(
  { text }: FoldedText,
  pieces: string[],
  start: number,
): (Omission & { end: number }) | undefined {
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
