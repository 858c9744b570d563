import { asCode, fenceAround } from '../api-contract/inline-code.ts';
import { partLabel } from '../api-contract/part-label.ts';
import { pathWithLines } from '../api-contract/shown-place.ts';
import type { FilePart } from '../ports/file-part.ts';

interface Place extends FilePart {
  path: string;
  startLine: number;
  endLine: number;
}

/**
 * Formats a quote's location in Markdown: `path:3-5`, or `path`, page 2. With a URL, the path becomes a link.
 * Locations in notes have lines for every file (`withLines`), because they are parsed.
 */
export function placeInMarkdown(place: Place, address?: string, { withLines = false } = {}): string {
  const { path, startLine, endLine } = place;
  const lines = startLine === endLine ? startLine : `${startLine}-${endLine}`;
  const code = asCode(withLines ? `${path}:${lines}` : pathWithLines(place));
  const shown = address === undefined ? code : `[${code}](<${address}>)`;
  return [shown, partLabel(place)].filter(Boolean).join(', ');
}

/** Formats a quote as code within a footnote. Nothing in the quote can end it. */
export function quoteBlock(quote: string): string {
  const fence = fenceAround(quote, 3);
  const block = [`${fence}text`, ...quote.split(/\r\n|[\n\r]/), fence];
  return block.map((line) => `    ${line}`).join('\n');
}
