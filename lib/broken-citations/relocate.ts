import { type Records, wasExpected } from '../ports/records.ts';
import { changeQuotes, markPaths } from '../quotations/keep-quotes.ts';
import {
  type Quote,
  type QuotedFile,
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
}

/**
 * Moves quotes of a document to other files: first the record of the quotes there, then the document, and last the record of the
 * old ones. Killed anywhere, it can be repeated. Returns false if the document could not be changed.
 */
export async function relocate(
  records: Records,
  quoted: QuotedFile,
  relocations: Relocation[],
): Promise<boolean> {
  for (const [path, some] of Map.groupBy(relocations, (each) => each.path)) {
    await addPath(records, quoted, path);
    await addQuotes(records, { ...quoted, path }, some.map(toQuote));
  }
  const moves = relocations.map(({ quote, path, place }) => {
    return { index: quote.index, from: quoted.path, to: { ...place, path } };
  });
  if (!(await moveQuotes(records, quoted, moves))) return false;
  await removeQuotes(
    records,
    quoted,
    relocations.map(({ quote }) => quote.index),
  );
  return true;
}

function toQuote({ quote, place }: Relocation): Quote {
  return { ...quote, ...place, broken: null };
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
  const indexes = new Set(added.map(({ index }) => index));
  for (;;) {
    const known = await quotedFiles.get(records, id);
    if (known === undefined) {
      const first = { workspaceId, path, document, quotes: added, version: 1 };
      if (await quotedFiles.create(records, first)) break;
    } else {
      const others = known.quotes.filter(({ index }) => !indexes.has(index));
      if (await changeQuotes(records, known, [...others, ...added])) break;
    }
  }
  await markPaths(records, workspaceId, [path]);
}

/** Removes quotes that are no longer of this file, and the record when none is left. */
export async function removeQuotes(records: Records, id: QuotedFile, indexes: number[]): Promise<void> {
  for (;;) {
    const known = await quotedFiles.get(records, id);
    if (known === undefined) return;
    const left = known.quotes.filter(({ index }) => !indexes.includes(index));
    if (left.length > 0) {
      if (await changeQuotes(records, known, left)) return;
    } else if (await deleteRead(records, known)) return;
  }
}

async function deleteRead(records: Records, known: QuotedFile): Promise<boolean> {
  return wasExpected(quotedFiles.delete(records, known, { version: known.version }));
}
