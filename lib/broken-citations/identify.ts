import type { Records } from '../ports/records.ts';
import {
  type DocumentRef,
  documentKey,
  pathKey,
  type Quote,
  type QuotedFile,
  quotedFiles,
  quotesPartition,
} from '../quotations/schema.ts';

/** Returns the ID of a citation, which names its record: the file, the document, and the number in it. */
export function idOf({ path, document: { kind, key, place } }: QuotedFile, index: number): string {
  return [pathKey(path), kind, key, place, index].join('.');
}

const ID = /^([\w-]{43})\.(note|answer)\.([\w-]{1,100})\.(\d{1,10})\.(\d{1,10})$/;

/** Returns the record that has the citation with this ID. */
export async function findQuoted(
  records: Records,
  workspaceId: string,
  id: string,
): Promise<{ quoted: QuotedFile; quote: Quote } | undefined> {
  const [, file, kind, key = '', place, index] = ID.exec(id) ?? [];
  if (file === undefined) return undefined;
  const document: DocumentRef = { kind: kind === 'note' ? 'note' : 'answer', key, place: Number(place) };
  const sortPrefix = `${file}#${documentKey(document)}`;
  const { items } = await quotedFiles.list(records, {
    partition: quotesPartition(workspaceId),
    sortPrefix,
    limit: 1,
  });
  const [quoted] = items;
  const quote = quoted?.quotes.find((each) => each.index === Number(index));
  return quoted && quote && { quoted, quote };
}
