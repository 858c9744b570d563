import type { QuotedPiece } from '../../api-contract/citation.ts';
import { hasLines } from '../../api-contract/file-kinds.ts';
import type { FoundPlace } from '../../api-contract/findings.ts';
import type { TextRun } from '../../formats/format.ts';
import { lineAt, lineStarts } from '../../formats/lines.ts';
import type { FilePart } from '../../ports/file-part.ts';
import type { Passage } from '../../ports/vectors.ts';
import { cutsSomething } from './cut-ends.ts';
import type { ClaimPlace } from './find-place.ts';
import { nearestPlace, type ReadText } from './nearest.ts';
import { widenToSentence } from './sentences-within.ts';
import type { QuotableFile } from './sources.ts';
import { AROUND } from './stretches-around.ts';

/** The maximum number of pieces, including the quote itself. */
const MAX_PIECES = 3;
/** Matches text that is worth looking up. A single digit or letter is everywhere. */
const IS_TELLING = /[\p{L}\p{N}].*[\p{L}\p{N}]/u;
/** The maximum number of characters to search for a fact, in a file or in all passages. */
const MAX_SEARCHED = 2_000_000;

/** Returns a stretch of a file with its place in the form of citations. */
export function pieceOf(source: QuotableFile, run: TextRun, part: FilePart = {}): QuotedPiece {
  const lines = { startLine: lineAt(source.lines, run.start), endLine: lineAt(source.lines, run.end - 1) };
  return { ...(source.partAt(run) ?? part), ...lines, quote: source.text.slice(run.start, run.end) };
}

/**
 * Returns at most two sentences near a quote that contain further facts of the claim. Together with the
 * quote, they contain all of its facts.
 */
export function furtherPieces(source: QuotableFile, quote: TextRun, facts: string[]): TextRun[] {
  const found: TextRun[] = [];
  for (const fact of facts) {
    if (found.length === MAX_PIECES - 1) break;
    const place = findFact(source, fact, quote.start);
    const isNear = place !== undefined && Math.abs(place.start - quote.start) <= AROUND;
    if (!isNear || [quote, ...found].some((run) => run.start <= place.start && place.end <= run.end))
      continue;
    const sentence = widenToSentence(source, place);
    const overlaps = [quote, ...found].some((run) => run.start < sentence.end && sentence.start < run.end);
    found.push(overlaps ? place : sentence);
  }
  return found;
}

function findFact({ text, runs }: ReadText, fact: string, near: number): TextRun | undefined {
  return nearestPlace({ text, runs }, fact, near, (place) => !cutsSomething(text, place));
}

/**
 * Returns the place of a fact that the source of a claim lacks: elsewhere in the cited files, otherwise in a
 * passage that the model was given. Finds only facts in the same spelling.
 */
export function findElsewhere(
  fact: string,
  cited: (ClaimPlace & { path: string })[],
  offered: Passage[],
): FoundPlace | undefined {
  if (!IS_TELLING.test(fact)) return undefined;
  for (const { path, source, run } of cited) {
    if (source === undefined || source.text.length > MAX_SEARCHED) continue;
    const place = findFact(source, fact, run?.start ?? 0);
    if (place === undefined) continue;
    const { quote: _, ...found } = pieceOf(source, place);
    return foundIn(path, found);
  }
  for (const passage of offered) {
    const { path, text, part } = passage;
    const place = findFact({ text, runs: [{ start: 0, end: text.length }] }, fact, 0);
    if (place === undefined) continue;
    const line = passage.startLine + lineAt(lineStarts(text), place.start) - 1;
    return foundIn(path, { ...part, startLine: line, endLine: line });
  }
  return undefined;
}

function foundIn(path: string, { startLine, endLine, ...part }: Omit<QuotedPiece, 'quote'>): FoundPlace {
  return { path, ...(hasLines(path) && { startLine, endLine }), ...part };
}
