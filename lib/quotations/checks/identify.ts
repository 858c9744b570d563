import type { Records } from '../../ports/records.ts';
import {
  type DocumentRef,
  documentKey,
  isSameQuote,
  pathKey,
  type Quote,
  type QuotedFile,
  type QuoteId,
  quotedFiles,
  quotesPartition,
} from '../records/schema.ts';

/** Returns the ID of a citation, which names its record: the file, the document, the number in it, and the sentence that cites it. */
export function idOf({ path, document: { kind, key, place } }: QuotedFile, quote: QuoteId): string {
  const { index, claim } = quote;
  return [pathKey(path), kind, key, place, index, ...(claim === undefined ? [] : [claim])].join('.');
}

const ID = /^([\w-]{43})\.(note|answer)\.([\w-]{1,100})\.(\d{1,10})\.(\d{1,10})(?:\.(\d{1,4}))?$/;

/** Returns the record that has the citation with this ID. */
export async function findQuoted(
  records: Records,
  workspaceId: string,
  id: string,
): Promise<{ quoted: QuotedFile; quote: Quote } | undefined> {
  const [, file, kind, key = '', place, index, claim] = ID.exec(id) ?? [];
  if (file === undefined) return undefined;
  const document: DocumentRef = { kind: kind === 'note' ? 'note' : 'answer', key, place: Number(place) };
  const wanted = { index: Number(index), claim: claim === undefined ? undefined : Number(claim) };
  const sortPrefix = `${file}#${documentKey(document)}`;
  const { items } = await quotedFiles.list(records, {
    partition: quotesPartition(workspaceId),
    sortPrefix,
    limit: 1,
  });
  const [quoted] = items;
  const quote = quoted?.quotes.find((each) => isSameQuote(each, wanted));
  return quoted && quote && { quoted, quote };
}
