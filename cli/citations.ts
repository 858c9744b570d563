import type { Citation } from '../lib/api-contract/citation.ts';
import { type LabeledPart, partLabel } from '../lib/api-contract/part-label.ts';
import { isUndoubted, supportRemark } from '../lib/api-contract/source-list.ts';
import { cleanLine, cyan, dim, type Piece, printLine, shortLine, yellow } from './terminal.ts';
import type { Place } from './workspace.ts';

const SHOWN_QUOTE = 160;

/** Returns ` (page 3)` or ` (sheet Budget, rows 2-9 of 950)`; empty if the format has no parts. */
export function describePart(part: LabeledPart): string {
  const words = partLabel(part);
  return words === '' ? '' : ` (${words})`;
}

/** Prints `[1] notes/owls.md:3 "Owls hunt at night."`, in the format that editors and terminals open. */
function printCitation(citation: Citation, { show }: Place): void {
  const { index, path, startLine, quote } = citation;
  const place = cleanLine(`${show(path)}:${startLine}`);
  const cut = shortLine(quote, SHOWN_QUOTE);
  printLine(
    `[${index}] `,
    cyan(place),
    dim(`${cleanLine(describePart(citation))}${cut === '' ? '' : `  “${cut}”`}`),
    ...findings(citation),
  );
}

/** Lists the sources of an answer: those that the model cites, and those that the service found for other sentences. */
export function printSources(citations: Citation[], hasPassages: boolean, place: Place): void {
  for (const citation of citations) printCitation(citation, place);
  if (citations.length === 0 && hasPassages) printLine(dim('No sentence of the answer fits a passage.'));
}

/** Returns remarks about the citation; empty for a quote that was found but not judged. */
function findings(citation: Citation): Piece[] {
  const { stale, quote, reason, support = 'unjudged', sentences } = citation;
  const why = quote === '' || reason === undefined ? '' : `: ${shortLine(reason, SHOWN_QUOTE)}`;
  const found = cleanLine(`  ${supportRemark(citation)}${why}`);
  if (!isUndoubted(citation)) return [yellow(found)];
  return [
    ...(support === 'unjudged' && !sentences ? [] : [dim(found)]),
    ...(sentences ?? []).map(({ text }) => dim(`\n    for: ${shortLine(text, SHOWN_QUOTE)}`)),
    ...(stale ? [yellow('  changed since it was indexed')] : []),
  ];
}
