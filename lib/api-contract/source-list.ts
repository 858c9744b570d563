import type { Citation } from './citation.ts';
import { asCode } from './inline-code.ts';
import { partLabel } from './part-label.ts';
import type { Support } from './support.ts';
import { SUPPORT_WORDS } from './support-words.ts';

/**
 * The heading of the source list in notes that the service and the console write. The console recognizes the
 * list by it.
 */
export const SOURCES = 'Sources';

export interface ListedSource {
  index: number;
  path: string;
  /** The location in the file, such as `page 3, lines 2-4`. */
  where: string;
  quote: string;
  remark?: string | undefined;
  /** The reasons behind the remark, one per line. */
  reasons?: string[] | undefined;
}

/** The remark for an entry without a quote. */
export const NO_QUOTE = 'no matching text found there';

/** Returns the remark about a sentence's state, as text within a line. */
export function remarkFor(support: Support): string {
  return SUPPORT_WORDS.en[support].toLowerCase();
}

type Quoted = Pick<Citation, 'quote' | 'support' | 'origin'>;

/** The remark for a source that the model didn't cite. */
export const FOUND = 'found by the service';

/** Describes a citation: one of four states, or no quote, and whether the model cited it. */
export function supportRemark({ quote, support = 'unjudged', origin }: Quoted): string {
  const state = quote === '' ? NO_QUOTE : remarkFor(support);
  return origin === 'service' ? `${state}, ${FOUND}` : state;
}

/**
 * Returns whether there is a quote, and neither code nor a judge found a problem in the sentences that cite
 * it.
 */
export function isUndoubted({ quote, support = 'unjudged' }: Quoted): boolean {
  return quote !== '' && (support === 'full' || support === 'unjudged');
}

/** Returns a citation as an entry of a note's source list. Without any problem, the entry needs no remark. */
export function listedSource(citation: Citation): ListedSource {
  const { index, path, startLine, endLine, quote, origin } = citation;
  const isPlain = isUndoubted(citation) && origin !== 'service';
  const remark = isPlain ? undefined : supportRemark(citation);
  const where = [partLabel(citation), lineWords(startLine, endLine)].filter(Boolean).join(', ');
  return { index, path, where, quote, remark };
}

export function lineWords(startLine: number, endLine: number): string {
  return startLine === endLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`;
}

/**
 * Returns a text with its source list as Markdown, grouped by file: each number with its file, its location, and the
 * quote.
 */
export function withSourceList(
  text: string,
  sources: readonly ListedSource[],
  heading: string = SOURCES,
): string {
  if (sources.length === 0) return text;
  const byFile = [...Map.groupBy(sources, ({ path }) => path).values()].flat();
  return `${text}\n\n## ${heading}\n\n${byFile.map(showSource).join('\n')}`;
}

function showSource({ index, path, where, quote, remark, reasons = [] }: ListedSource): string {
  const place = [`[${index}] ${asCode(path)}`, where].filter(Boolean).join(', ');
  const entry = remark === undefined ? `- ${place}` : `- ${place} (${remark})`;
  const lines = quote === '' ? [] : quote.split(/\r\n|[\n\r]/).map((line) => `  > ${line}`);
  return [entry, ...reasons.map((reason) => `  ${reason}`), ...lines].join('\n');
}
