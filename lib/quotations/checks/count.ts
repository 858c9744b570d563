import type { Records } from '../../ports/records.ts';
import { pathPrefix, type QuotedFile, quotedFiles, quotesPartition } from '../records/schema.ts';
import type { CitationCount } from './schema.ts';

/**
 * The maximum number of records to read for a folder. The records of its files are scattered among those of
 * the workspace.
 */
const MAX_READ = 5000;

/**
 * Counts the citations of a file, or of all files below a folder, and the documents with these citations (of all
 * callers).
 */
export async function countCitations(
  records: Records,
  workspaceId: string,
  path: string,
): Promise<CitationCount> {
  const partition = quotesPartition(workspaceId);
  const ofFile = await Array.fromAsync(quotedFiles.all(records, { partition, sortPrefix: pathPrefix(path) }));
  if (ofFile.length > 0) return sumOf(ofFile, true);
  const below: QuotedFile[] = [];
  let read = 0;
  for await (const quoted of quotedFiles.all(records, { partition })) {
    if (read++ === MAX_READ) return sumOf(below, false);
    if (quoted.path.startsWith(`${path}/`)) below.push(quoted);
  }
  return sumOf(below, true);
}

function sumOf(quoted: QuotedFile[], isWhole: boolean): CitationCount {
  const documents = new Set(quoted.map(({ document: { kind, key } }) => `${kind}#${key}`));
  const citations = quoted.reduce((sum, { quotes }) => sum + quotes.length, 0);
  return { citations, documents: documents.size, isWhole };
}
