import type { Records } from '../../ports/records.ts';
import {
  isSameQuote,
  type Quote,
  type QuotedFile,
  type QuoteId,
  quotedFiles,
  quotesPartition,
} from '../records/schema.ts';

/** Returns the ID of a citation: the key of its record, the number in its document, and the sentence that cites it. */
export function idOf(quoted: QuotedFile, { index, claim }: QuoteId): string {
  return Buffer.from(`${quotedFiles.key(quoted).sort}.${index}.${claim ?? ''}`).toString('base64url');
}

const ID = /^(.+)\.(\d{1,10})\.(\d{0,4})$/;

/** Returns the record that has the citation with this ID. */
export async function findQuoted(
  records: Records,
  workspaceId: string,
  id: string,
): Promise<{ quoted: QuotedFile; quote: Quote } | undefined> {
  const [, sortPrefix, index, claim] = ID.exec(Buffer.from(id, 'base64url').toString()) ?? [];
  if (sortPrefix === undefined) return undefined;
  const query = { partition: quotesPartition(workspaceId), sortPrefix, limit: 1 };
  const [quoted] = (await quotedFiles.list(records, query)).items;
  const wanted: QuoteId = { index: Number(index), claim: claim === '' ? undefined : Number(claim) };
  const quote = quoted?.quotes.find((each) => isSameQuote(each, wanted));
  return quoted && quote && { quoted, quote };
}
