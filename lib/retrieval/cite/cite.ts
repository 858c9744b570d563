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

/**
 * Returns the citation of a passage for a sentence of an answer, verified in code against the current file. A quote that lacks
 * a fact of the sentence is returned, but not verified.
 */
export async function cite(
  ports: SourcePorts,
  workspace: Workspace,
  { index, passage, claim, beside = [] }: Cited,
): Promise<Citation> {
  const { path, startLine, endLine, part, fileHash } = passage;
  const source = await readQuotable(ports, workspace, path);
  const stale = source?.hash !== fileHash;
  const place = source && placeOf(source, passage, claim);
  if (source === undefined || place === undefined) {
    const citation = { index, path, startLine, endLine, ...part };
    return { ...citation, quote: '', fileHash: source?.hash ?? fileHash, verified: false, stale };
  }
  const quote = source.text.slice(place.start, place.end);
  const others = await Promise.all(beside.map((other) => quoteOf(ports, workspace, other, claim)));
  const quotes = [quote, ...others.flatMap((other) => other ?? [])];
  return {
    ...{ index, path, ...(source.partAt(place) ?? part) },
    startLine: lineAt(source.lines, place.start),
    endLine: lineAt(source.lines, place.end - 1),
    quote,
    fileHash: source.hash,
    verified: missingFacts(claim, quotes).length === 0,
    stale,
  };
}

async function quoteOf(
  ports: SourcePorts,
  workspace: Workspace,
  passage: Passage,
  claim: string,
): Promise<string | undefined> {
  const source = await readQuotable(ports, workspace, passage.path);
  const place = source && placeOf(source, passage, claim);
  return place && source.text.slice(place.start, place.end);
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
