import type { Records } from '../../ports/records.ts';
import { failOvertaken, whileOvertaken } from '../../records/change.ts';
import { markPaths, rewriteQuotes } from '../records/keep-quotes.ts';
import {
  isSameQuote,
  type Quote,
  type QuotedFile,
  type QuoteId,
  type QuotePlace,
  quotingDocuments,
} from '../records/schema.ts';
import { moveQuotes } from './document.ts';

/** A quote with its new place. */
export interface Relocation {
  quote: Quote;
  path: string;
  place: QuotePlace & { fileHash: string };
  /** The state of a quote that only moves along with its citation, so that only its old place is known. */
  broken?: Quote['broken'];
}

/**
 * Moves quotes of a document to other files: first creates the record of the quotes there, then changes the
 * document, and finally removes the record of the old quotes. Can be repeated after an interruption at any
 * point. Returns false if the document couldn't be changed. `isSameFile` means that the file was moved, with
 * the same contents.
 */
export async function relocate(
  records: Records,
  quoted: QuotedFile,
  relocations: Relocation[],
  { isSameFile }: { isSameFile: boolean },
): Promise<boolean> {
  for (const [path, some] of Map.groupBy(relocations, (each) => each.path)) {
    await addPath(records, quoted, path);
    const added = some.map(toQuote);
    await rewriteQuotes(records, { ...quoted, path }, (known) => [...withoutQuotes(known, added), ...added]);
    await markPaths(records, quoted.workspaceId, [path]);
  }
  const moves = relocations.map(({ quote, path, place }) => {
    const { index, quote: text } = quote;
    return { index, quote: text, from: quoted.path, to: { ...place, path }, isSameFile };
  });
  if (!(await moveQuotes(records, quoted, moves))) return false;
  await removeQuotes(
    records,
    quoted,
    relocations.map(({ quote }) => quote),
  );
  return true;
}

function toQuote({ quote, place, broken = null }: Relocation): Quote {
  return { ...quote, ...place, broken };
}

/** Adds the path, so that its quotes are removed with the document. */
async function addPath(records: Records, id: QuotedFile, path: string): Promise<void> {
  await whileOvertaken(async () => {
    const known = await quotingDocuments.get(records, id);
    if (known === undefined || known.paths.includes(path)) return true;
    const { stamp, paths } = known;
    return quotingDocuments.patch(records, known, { paths: [...paths, path] }, { stamp });
  }, failOvertaken);
}

/** Removes quotes that no longer belong to this file. */
export function removeQuotes(records: Records, id: QuotedFile, removed: QuoteId[]): Promise<void> {
  return rewriteQuotes(records, id, (known) => withoutQuotes(known, removed));
}

function withoutQuotes(quotes: Quote[], removed: QuoteId[]): Quote[] {
  return quotes.filter((quote) => !removed.some((each) => isSameQuote(each, quote)));
}
