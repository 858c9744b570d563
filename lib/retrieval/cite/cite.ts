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
    index: z.number().int().describe('Number of the citation in the answer.'),
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
        'Whether the current file contains the quote, and the quote shares words with the sentence and lacks none of its numbers, dates, and names. It is not judged whether the quote supports the sentence.',
      ),
    stale: z.boolean().describe('Whether the file was changed or deleted after it was indexed.'),
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
 * Returns the citation of a passage for a sentence of an answer, checked by code against the file as it is now. A quote that
 * lacks a fact of the sentence is given, but not verified.
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
