import * as z from 'zod';
import { lineAt } from '../indexing/lines.ts';
import type { TextRun } from '../indexing/text-runs.ts';
import type { Objects } from '../ports/objects.ts';
import type { Passage } from '../ports/vectors.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { findQuote } from './quote.ts';
import { readSource, type Source } from './sources.ts';

export const citationSchema = z
  .strictObject({
    index: z.number().int().describe('the number in the answer'),
    path: z.string(),
    startLine: z.number().int().describe('the first line of the quote, from 1'),
    endLine: z.number().int(),
    page: z.number().int().optional().describe('of a PDF, from 1'),
    quote: z.string().describe('an exact substring of the file as it is now; empty when not verified'),
    fileHash: z.string().describe('SHA-256 of the file as it is now; as it was indexed when it is gone'),
    verified: z.boolean(),
    stale: z.boolean().describe('the file has changed, or is gone, since it was indexed'),
  })
  .meta({ id: 'Citation' });
export type Citation = z.infer<typeof citationSchema>;

/** The citation of a passage for a sentence of an answer, checked against the file as it is now. */
export async function cite(
  objects: Objects,
  workspace: Workspace,
  { index, passage, claim }: { index: number; passage: Passage; claim: string },
): Promise<Citation> {
  const { path, startLine, endLine, page, fileHash } = passage;
  const source = await readSource(objects, workspace, path);
  const stale = source?.hash !== fileHash;
  const citation = { index, path, startLine, endLine, ...(page === null ? {} : { page }) };
  const place = source && (stale ? findAgain(source, passage, claim) : findInPassage(source, passage, claim));
  if (source === undefined || place === undefined) {
    return { ...citation, quote: '', fileHash: source?.hash ?? fileHash, verified: false, stale };
  }
  return {
    ...citation,
    startLine: lineAt(source.lines, place.start),
    endLine: lineAt(source.lines, place.end - 1),
    quote: source.text.slice(place.start, place.end),
    fileHash: source.hash,
    verified: true,
    stale,
  };
}

/** The parts of the readable runs that lie within the passage. */
function findInPassage({ text, runs }: Source, { startChar, endChar }: Passage, claim: string) {
  const inside = runs
    .filter(({ start, end }) => start < endChar && end > startChar)
    .map(({ start, end }) => ({ start: Math.max(start, startChar), end: Math.min(end, endChar) }));
  return findQuote(text, inside, claim);
}

/** What would have been quoted is looked for in the text as it is now. */
function findAgain(source: Source, passage: Passage, claim: string): TextRun | undefined {
  const old = passage.text;
  const place = findQuote(old, [{ start: 0, end: old.length }], claim);
  if (place === undefined) return undefined;
  const quote = old.slice(place.start, place.end);
  const start = nearest(source, quote, passage.startChar + place.start);
  return start === undefined ? undefined : { start, end: start + quote.length };
}

/** The occurrence that lies closest to where the text was, within what is read of the file. */
function nearest({ text, runs }: Source, quote: string, expected: number): number | undefined {
  let best: number | undefined;
  for (let at = text.indexOf(quote); at !== -1; at = text.indexOf(quote, at + 1)) {
    if (best !== undefined && Math.abs(at - expected) > Math.abs(best - expected)) break;
    if (runs.some(({ start, end }) => start <= at && at + quote.length <= end)) best = at;
  }
  return best;
}
