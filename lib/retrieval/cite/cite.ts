import * as z from 'zod';
import type { TextRun } from '../../formats/format.ts';
import { lineAt } from '../../formats/lines.ts';
import { filePartShape } from '../../ports/file-part.ts';
import type { Passage } from '../../ports/vectors.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { findQuote } from './quote.ts';
import { readSource, type Source, type SourcePorts } from './sources.ts';

export const citationSchema = z
  .strictObject({
    index: z.number().int().describe('the number in the answer'),
    path: z.string(),
    startLine: z.number().int().describe('the first line of the quote, from 1'),
    endLine: z.number().int(),
    ...filePartShape,
    quote: z.string().describe('an exact substring of the file as it is now; empty when not verified'),
    fileHash: z.string().describe('SHA-256 of the file as it is now; as it was indexed when it is gone'),
    verified: z.boolean(),
    stale: z.boolean().describe('the file has changed, or is gone, since it was indexed'),
  })
  .meta({ id: 'Citation' });
export type Citation = z.infer<typeof citationSchema>;

/** The citation of a passage for a sentence of an answer, checked against the file as it is now. */
export async function cite(
  ports: SourcePorts,
  workspace: Workspace,
  { index, passage, claim }: { index: number; passage: Passage; claim: string },
): Promise<Citation> {
  const { path, startLine, endLine, part, fileHash } = passage;
  const source = await readSource(ports, workspace, path);
  const stale = source?.hash !== fileHash;
  const place = source && (stale ? findAgain(source, passage, claim) : findInPassage(source, passage, claim));
  if (source === undefined || place === undefined) {
    const citation = { index, path, startLine, endLine, ...part };
    return { ...citation, quote: '', fileHash: source?.hash ?? fileHash, verified: false, stale };
  }
  return {
    ...{ index, path, ...(source.partAt(place) ?? part) },
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
function nearest(source: Source, quote: string, expected: number): number | undefined {
  const after = search(source, quote, expected, 1);
  const before = expected > 0 ? search(source, quote, expected - 1, -1) : undefined;
  if (before === undefined || after === undefined) return before ?? after;
  return expected - before <= after - expected ? before : after;
}

/** Tries bound the work: a short quote may stand a hundred thousand times in markup that nobody reads. */
const MAX_TRIES = 10_000;

/** The first occurrence from a place on, in one direction. */
function search({ text, runs }: Source, quote: string, from: number, step: 1 | -1): number | undefined {
  let at = from;
  for (let tries = 0; tries < MAX_TRIES && at >= 0; tries++) {
    at = step === 1 ? text.indexOf(quote, at) : text.lastIndexOf(quote, at);
    if (at === -1) return undefined;
    const run = runAt(runs, at);
    if (run !== undefined && at + quote.length <= run.end) return at;
    at += step;
  }
  return undefined;
}

/** The run that holds a character; runs are in order and do not overlap. */
function runAt(runs: TextRun[], at: number): TextRun | undefined {
  let low = 0;
  let high = runs.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((runs[middle]?.start ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  const run = runs[low];
  return run !== undefined && run.start <= at && at < run.end ? run : undefined;
}
