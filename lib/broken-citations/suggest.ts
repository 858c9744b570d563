import type { QuotePlace } from '../quotations/schema.ts';
import type { SourcePorts } from '../retrieval/cite/sources.ts';
import { type SearchPorts, searchPassages } from '../retrieval/search.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { readFileNow } from './file-now.ts';
import { findQuoteIn } from './find-quote.ts';

export type SuggestPorts = SearchPorts & SourcePorts;

/** Where a quote is found elsewhere. */
export interface FoundPlace {
  path: string;
  place: QuotePlace & { fileHash: string };
}

/** Files that are read for one quote. */
const FILES = 5;

/**
 * Returns the best place in the workspace with the same quote, besides the file that was cited: one keyword search, and a literal
 * comparison with the files that it finds.
 */
export async function suggestPlace(
  ports: SuggestPorts,
  workspace: Workspace,
  { path, quote }: { path: string; quote: string },
): Promise<FoundPlace | undefined> {
  const { passages } = await searchPassages(
    { ...ports, embedder: undefined, reranker: undefined },
    workspace.id,
    quote,
  );
  const others = new Set(passages.map((passage) => passage.path).filter((other) => other !== path));
  for (const other of [...others].slice(0, FILES)) {
    const file = await readFileNow(ports, workspace, other);
    const place = file.state === 'read' ? findQuoteIn(file.source, { quote, startLine: 1 }) : undefined;
    if (place !== undefined && place.fileHash !== null)
      return { path: other, place: { ...place, fileHash: place.fileHash } };
  }
  return undefined;
}
