import { asCode, fenceAround } from '../markdown/code.ts';
import type { FilePart } from '../ports/file-part.ts';
import { partLabel } from './part-label.ts';

interface Place extends FilePart {
  path: string;
  startLine: number;
  endLine: number;
}

/** Where a quote stands, in Markdown: `path:3-5`, page 2. With an address, the path leads there. */
export function placeInMarkdown(place: Place, address?: string): string {
  const { path, startLine, endLine } = place;
  const code = asCode(`${path}:${startLine === endLine ? startLine : `${startLine}-${endLine}`}`);
  const shown = address === undefined ? code : `[${code}](<${address}>)`;
  return [shown, partLabel(place)].filter(Boolean).join(', ');
}

/** A quote as code within a footnote: nothing in it can end its place. */
export function quoteBlock(quote: string): string {
  const fence = fenceAround(quote, 3);
  const block = [`${fence}text`, ...quote.split(/\r\n|[\n\r]/), fence];
  return block.map((line) => `    ${line}`).join('\n');
}
