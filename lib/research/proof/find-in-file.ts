import { Unreadable } from '../../errors.ts';
import { readingFormat } from '../../formats/all-formats.ts';
import { decodeSource } from '../../formats/decode-source.ts';
import type { Decoded, TextRun } from '../../formats/format.ts';
import { lineStarts } from '../../formats/lines.ts';
import { quotableRuns } from '../../formats/quotable-runs.ts';
import { recognizedAs } from '../../formats/recognized.ts';
import type { PassagedQuote } from './schema.ts';

export interface Lookup {
  problems: string[];
  /** Why quotes couldn't be looked up, if so. */
  unread?: string;
}

/** Looks for quotes and the passages around them in the file that a proof names, at their lines. */
export async function findInFile(path: string, bytes: Buffer, quotes: PassagedQuote[]): Promise<Lookup> {
  const format = readingFormat(path);
  const decoded = await decodeSource(format, bytes).catch((error: unknown) => {
    if (error instanceof Unreadable) return undefined;
    throw error;
  });
  if (decoded === undefined) return { problems: [], unread: `${path} can't be read` };
  if (format.content === 'encoded')
    return lookUpDecoded(path, decoded, quotes, recognizedAs(format) !== undefined);
  const text = decoded.text.toWellFormed();
  const runs = await quotableRuns(format, decoded.text);
  const lines = lineStarts(text);
  const missing = quotes.filter((quote) => !isInText({ text, lines, runs }, quote));
  return {
    problems: missing.map(({ id }) => `Quote ${id} isn't in ${path} with its passage, at its lines.`),
  };
}

/** Whether the passage starts in its line, and the quote within it can be read there: comments of HTML can't be quoted. */
function isInText(
  { text, lines, runs }: { text: string; lines: number[]; runs: TextRun[] },
  { quote, extract, passage }: PassagedQuote,
): boolean {
  if (extract === null || passage === undefined) return false;
  const from = lines[extract.firstLine - 1] ?? text.length;
  const to = lines[extract.firstLine] ?? text.length;
  for (let at = text.indexOf(passage, from); at >= 0 && at < to; at = text.indexOf(passage, at + 1)) {
    const start = at + extract.start;
    if (runs.some((run) => run.start <= start && start + quote.length <= run.end)) return true;
  }
  return false;
}

/** Another release may decode a document to other lines, and a scan has text only for those who recognized it. */
function lookUpDecoded(path: string, decoded: Decoded, quotes: PassagedQuote[], mayBeScan: boolean): Lookup {
  const text = plain(decoded.text);
  const missing = quotes.filter(({ quote }) => !text.includes(plain(quote)));
  if (missing.length > 0 && mayBeScan && hasPageWithoutText(decoded))
    return { problems: [], unread: `${path} has pages without text` };
  return { problems: missing.map(({ id }) => `Quote ${id} isn't in ${path}.`) };
}

function hasPageWithoutText({ text, partStarts }: Decoded): boolean {
  const starts = partStarts.length === 0 ? [0] : partStarts;
  return starts.some((start, at) => text.slice(start, starts[at + 1]).trim() === '');
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ');
}
