import type { Citation } from '../api-contract/citation.ts';
import { partLabel } from '../api-contract/part-label.ts';
import { asCode } from '../markdown/code.ts';
import { citeAll } from '../retrieval/cite/cite.ts';
import { findMarkers } from '../retrieval/cite/markers.ts';
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
  if (cited.length === 0) return '';
  const lines = (await citeAll(ports, workspace, cited)).map(describe);
  return `\n\n## Sources\n\n${lines.join('\n')}`;
}

function describe(citation: Citation, place: number): string {
  const { index, path, startLine, endLine, quote, verified } = citation;
  const lines = startLine === endLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`;
  const where = [`[${index}] ${asCode(path)}`, partLabel(citation), lines].filter(Boolean).join(', ');
  if (quote === '') return `- ${where} (no matching text found there)`;
  const found = verified ? where : `${where} (quoted, not verified)`;
  return place < MAX_QUOTES ? `- ${found}\n${asQuote(citation.quote)}` : `- ${found}`;
}

function asQuote(quote: string): string {
  return quote
    .split('\n')
    .map((line) => `  > ${line}`)
    .join('\n');
}
