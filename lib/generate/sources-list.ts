import type { Citation } from '../api-contract/citation.ts';
import { findMarkers } from '../api-contract/markers.ts';
import { partLabel } from '../api-contract/part-label.ts';
import { type ListedSource, lineWords, REMARKS, withSourceList } from '../api-contract/source-list.ts';
import { citeAll } from '../retrieval/cite/cite.ts';
import type { SourcePorts } from '../retrieval/cite/sources.ts';
import type { Workspace } from '../workspaces/schema.ts';
import type { Draft } from './draft.ts';

/** The rest of them have their place, without the words: a note has its limit. */
const MAX_QUOTES = 200;

/** The sources of a text as Markdown: each number with its file, lines and the quote that was found there just now. */
export async function listSources(
  ports: SourcePorts,
  workspace: Workspace,
  { text, sources }: Draft,
): Promise<string> {
  const cited = findMarkers(text).flatMap(({ number, claim }) => {
    const passage = sources[number - 1];
    return passage === undefined ? [] : [{ index: number, passage, claim }];
  });
  return withSourceList('', (await citeAll(ports, workspace, cited)).map(listed));
}

function listed(citation: Citation, place: number): ListedSource {
  const { index, path, startLine, endLine, quote, verified } = citation;
  const where = [partLabel(citation), lineWords(startLine, endLine)].filter(Boolean).join(', ');
  const found = verified ? undefined : REMARKS.differs;
  const remark = quote === '' ? REMARKS.missing : found;
  return { index, path, where, quote: place < MAX_QUOTES ? quote : '', remark };
}
