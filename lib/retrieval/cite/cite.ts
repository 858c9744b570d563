import { setImmediate as nextTurn } from 'node:timers/promises';
import * as z from 'zod';
import type { Citation } from '../../api-contract/citation.ts';
import { missingFacts } from '../../claims/facts.ts';
import type { TextRun } from '../../formats/format.ts';
import { lineAt } from '../../formats/lines.ts';
import { filePartShape } from '../../ports/file-part.ts';
import type { Passage } from '../../ports/vectors.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { nearestPlace } from './nearest.ts';
import { findQuote } from './quote.ts';
import { type QuotableFile, readQuotable, type SourcePorts } from './sources.ts';

export const citationSchema = z
  .strictObject({
    index: z
      .number()
      .int()
      .describe('Number of the citation in the answer: 1, 2, 3 in the order of first use.'),
    path: z.string(),
    startLine: z.number().int().describe('First line of the quote, starting at 1.'),
    endLine: z.number().int(),
    ...filePartShape,
    quote: z
      .string()
      .describe(
        'Quote: an exact substring of the current file. Empty if nothing in the file is similar to the sentence.',
      ),
    fileHash: z
      .string()
      .describe('SHA-256 of the current file. If the file no longer exists, of its indexed version.'),
    verified: z
      .boolean()
      .describe(
        'Whether the current file contains the quote, and the quote shares words with the sentence and the quotes of the sentence lack none of its numbers, dates, and names. It is not judged whether the quote supports the sentence.',
      ),
    stale: z.boolean().describe('Whether the file was changed or deleted after it was indexed.'),
  })
  .meta({ id: 'Citation' }) satisfies z.ZodType<Citation>;

export interface Cited {
  index: number;
  passage: Passage;
  claim: string;
  /** The other passages that the same sentence cites: its facts may come from several. */
  beside?: Passage[];
}

/**
 * Returns the citations of passages for sentences of an answer, verified in code against the current files. A quote that lacks
 * a fact of its sentence, which no quote beside it has either, is returned, but not verified.
 */
export async function citeAll(ports: SourcePorts, workspace: Workspace, all: Cited[]): Promise<Citation[]> {
  const findPlace = placeFinder(ports, workspace);
  const citations: Citation[] = [];
  for (const cited of all) citations.push(await citeOne(findPlace, cited));
  return citations;
}

/** Where a file says what a sentence does, if anywhere in a passage; `source` is undefined for a file that is gone. */
interface Place {
  source: QuotableFile | undefined;
  run: TextRun | undefined;
}

type FindPlace = (passage: Passage, claim: string) => Promise<Place>;

/** Looks once for each sentence in each passage: those that a sentence cites are compared with each of its citations. */
function placeFinder(ports: SourcePorts, workspace: Workspace): FindPlace {
  const known = new Map<Passage, Map<string, Place>>();
  return async (passage, claim) => {
    const places = known.get(passage) ?? new Map<string, Place>();
    known.set(passage, places);
    const found = places.get(claim);
    if (found !== undefined) return found;
    const source = await readQuotable(ports, workspace, passage.path);
    await nextTurn();
    const place = { source, run: source && placeOf(source, passage, claim) };
    places.set(claim, place);
    return place;
  };
}

async function citeOne(
  findPlace: FindPlace,
  { index, passage, claim, beside = [] }: Cited,
): Promise<Citation> {
  const { path, startLine, endLine, part, fileHash } = passage;
  const { source, run } = await findPlace(passage, claim);
  const stale = source?.hash !== fileHash;
  if (source === undefined || run === undefined) {
    const citation = { index, path, startLine, endLine, ...part };
    return { ...citation, quote: '', fileHash: source?.hash ?? fileHash, verified: false, stale };
  }
  const quote = textOf({ source, run });
  const others: string[] = [];
  for (const other of beside) others.push(textOf(await findPlace(other, claim)));
  await nextTurn();
  return {
    ...{ index, path, ...(source.partAt(run) ?? part) },
    startLine: lineAt(source.lines, run.start),
    endLine: lineAt(source.lines, run.end - 1),
    quote,
    fileHash: source.hash,
    verified: missingFacts(claim, [quote, ...others.filter((text) => text !== '')]).length === 0,
    stale,
  };
}

function textOf({ source, run }: Place): string {
  return source === undefined || run === undefined ? '' : source.text.slice(run.start, run.end);
}

function placeOf(source: QuotableFile, passage: Passage, claim: string): TextRun | undefined {
  return source.hash === passage.fileHash
    ? findInPassage(source, passage, claim)
    : findAgain(source, passage, claim);
}

/** Returns the parts of the readable runs that are within the passage. */
function findInPassage({ text, runs }: QuotableFile, { startChar, endChar }: Passage, claim: string) {
  const inside = runs
    .filter(({ start, end }) => start < endChar && end > startChar)
    .map(({ start, end }) => ({ start: Math.max(start, startChar), end: Math.min(end, endChar) }));
  return findQuote(text, inside, claim);
}

/** Searches the current text for what would have been quoted. */
function findAgain(source: QuotableFile, passage: Passage, claim: string): TextRun | undefined {
  const old = passage.text;
  const place = findQuote(old, [{ start: 0, end: old.length }], claim);
  if (place === undefined) return undefined;
  const quote = old.slice(place.start, place.end);
  return nearestPlace(source, quote, passage.startChar + place.start);
}
