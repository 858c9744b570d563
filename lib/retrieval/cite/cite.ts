import { setImmediate as nextTurn } from 'node:timers/promises';
import * as z from 'zod';
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
    index: z.number().int().describe('the number in the answer'),
    path: z.string(),
    startLine: z.number().int().describe('the first line of the quote, from 1'),
    endLine: z.number().int(),
    ...filePartShape,
    quote: z
      .string()
      .describe('an exact substring of the file as it is now; empty when nothing in it is like the sentence'),
    fileHash: z.string().describe('SHA-256 of the file as it is now; as it was indexed when it is gone'),
    verified: z
      .boolean()
      .describe(
        'the quote is in the file as it is now, has words of the sentence, and lacks none of its numbers, dates and names; whether it supports the sentence is not judged',
      ),
    stale: z.boolean().describe('the file has changed, or is gone, since it was indexed'),
  })
  .meta({ id: 'Citation' });
export type Citation = z.infer<typeof citationSchema>;

export interface Cited {
  index: number;
  passage: Passage;
  claim: string;
  /** The other passages that the same sentence cites: its facts may come from several. */
  beside?: Passage[];
}

/** Returns the citation of a passage for a sentence of an answer. See `citeAll`. */
export async function cite(ports: SourcePorts, workspace: Workspace, cited: Cited): Promise<Citation> {
  return citeOne(placeFinder(ports, workspace), cited);
}

/**
 * Returns the citations of passages for sentences of an answer, checked by code against the files as they are now. A quote that
 * lacks a fact of its sentence is given, but not verified. Passages are looked at one after the other, and others are served
 * between them: what a sentence is compared with can be made to take long.
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

/** The parts of the readable runs that lie within the passage. */
function findInPassage({ text, runs }: QuotableFile, { startChar, endChar }: Passage, claim: string) {
  const inside = runs
    .filter(({ start, end }) => start < endChar && end > startChar)
    .map(({ start, end }) => ({ start: Math.max(start, startChar), end: Math.min(end, endChar) }));
  return findQuote(text, inside, claim);
}

/** What would have been quoted is looked for in the text as it is now. */
function findAgain(source: QuotableFile, passage: Passage, claim: string): TextRun | undefined {
  const old = passage.text;
  const place = findQuote(old, [{ start: 0, end: old.length }], claim);
  if (place === undefined) return undefined;
  const quote = old.slice(place.start, place.end);
  return nearestPlace(source, quote, passage.startChar + place.start);
}
