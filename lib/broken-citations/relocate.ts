import { type Records, wasExpected } from '../ports/records.ts';
import { changeQuotes, markPaths } from '../quotations/keep-quotes.ts';
import {
  isSameQuote,
  type Quote,
  type QuotedFile,
  type QuoteId,
  type QuotePlace,
  quotedFiles,
  quotingDocuments,
} from '../quotations/schema.ts';
import { moveQuotes } from './document.ts';

/** A quote, and where it is now. */
export interface Relocation {
  quote: Quote;
  path: string;
  place: QuotePlace & { fileHash: string };
  /** That of a quote that only goes with its citation: its old place is all that is known. */
  broken?: Quote['broken'];
}

/**
 * Moves quotes of a document to other files: first the record of the quotes there, then the document, and last the record of the
 * old ones. Killed anywhere, it can be repeated. Returns false if the document could not be changed. `isSameFile`: the file was
 * moved, and has the same contents.
 */
export async function relocate(
  records: Records,
  quoted: QuotedFile,
  relocations: Relocation[],
  { isSameFile }: { isSameFile: boolean },
): Promise<boolean> {
  for (const [path, some] of Map.groupBy(relocations, (each) => each.path)) {
    await addPath(records, quoted, path);
    await addQuotes(records, { ...quoted, path }, some.map(toQuote));
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

/** So that they are removed with the document. */
async function addPath(records: Records, id: QuotedFile, path: string): Promise<void> {
  for (;;) {
    const known = await quotingDocuments.get(records, id);
    if (known === undefined || known.paths.includes(path)) return;
    const { stamp, paths } = known;
    if (await quotingDocuments.patch(records, known, { paths: [...paths, path] }, { stamp })) return;
  }
}

async function addQuotes(
  records: Records,
  id: Pick<QuotedFile, 'workspaceId' | 'path' | 'document'>,
  added: Quote[],
): Promise<void> {
  const { workspaceId, path, document } = id;
  for (;;) {
    const known = await quotedFiles.get(records, id);
    if (known === undefined) {
      const first = { workspaceId, path, document, quotes: added, version: 1 };
      if (await quotedFiles.create(records, first)) break;
    } else {
      const others = withoutQuotes(known.quotes, added);
      if (await changeQuotes(records, known, [...others, ...added])) break;
    }
  }
  await markPaths(records, workspaceId, [path]);
}

/** Removes quotes that are no longer of this file, and the record when none is left. */
export async function removeQuotes(records: Records, id: QuotedFile, removed: QuoteId[]): Promise<void> {
  for (;;) {
    const known = await quotedFiles.get(records, id);
    if (known === undefined) return;
    const left = withoutQuotes(known.quotes, removed);
    if (left.length > 0) {
      if (await changeQuotes(records, known, left)) return;
    } else if (await deleteRead(records, known)) return;
  }
}

function withoutQuotes(quotes: Quote[], removed: QuoteId[]): Quote[] {
  return quotes.filter((quote) => !removed.some((each) => isSameQuote(each, quote)));
}

async function deleteRead(records: Records, known: QuotedFile): Promise<boolean> {
  return wasExpected(quotedFiles.delete(records, known, { version: known.version }));
}
