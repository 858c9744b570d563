import { InvalidInput } from '../errors.ts';
import { decodeText } from './decode.ts';
import type { FileKind } from './file-kinds.ts';
import { htmlRuns } from './text-runs.ts';

/** More pages than any book; a forged PDF may claim millions. */
const MAX_PAGES = 5000;

/** What is read out of a file: the text that is cut into passages, and how its places map to the source text. */
export interface Extracted {
  kind: FileKind;
  /** The text that positions of passages refer to: the decoded file, or for a PDF the extracted text. */
  source: string;
  text: string;
  /** Pieces of `text` in order with their places in `source`; one piece when both are the same. */
  pieces: Piece[];
  /** Where in `text` the pages of a PDF begin; empty for anything else. */
  pageStarts: number[];
  /** Where in `text` a heading begins, for kinds whose text does not show it. */
  headings: Set<number>;
}

export interface Piece {
  textStart: number;
  sourceStart: number;
  sourceEnd: number;
}

/** Between the pages of a PDF; a form feed, as pdftotext has it. */
const PAGE_BREAK = '\n\f\n';

/** Throws InvalidInput with the reason when the file holds no text that can be read. */
export async function extract(kind: FileKind, bytes: Uint8Array): Promise<Extracted> {
  if (kind === 'pdf') return extractPdf(bytes);
  const source = decodeText(bytes);
  if (source === undefined) throw new InvalidInput('binary: not text in any known encoding');
  return kind === 'html' ? extractHtml(source) : plain(kind, source, []);
}

function plain(kind: FileKind, source: string, pageStarts: number[]): Extracted {
  const pieces = [{ textStart: 0, sourceStart: 0, sourceEnd: source.length }];
  return { kind, source, text: source, pieces, pageStarts, headings: new Set() };
}

async function extractPdf(bytes: Uint8Array): Promise<Extracted> {
  const pages = await readPages(bytes);
  const starts: number[] = [];
  let length = 0;
  for (const page of pages) {
    starts.push(length);
    length += page.length + PAGE_BREAK.length;
  }
  return plain('pdf', pages.join(PAGE_BREAK), starts);
}

/** The PDF engine is large and loads only for a PDF. */
async function readPages(bytes: Uint8Array): Promise<string[]> {
  const { extractText, getDocumentProxy } = await import('unpdf');
  try {
    const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
    if (pdf.numPages > MAX_PAGES) throw new InvalidInput(`PDF with more than ${MAX_PAGES} pages`);
    const { text } = await extractText(pdf, { mergePages: false });
    await pdf.loadingTask.destroy();
    return text;
  } catch (error) {
    if (error instanceof InvalidInput) throw error;
    const locked = (error as Error).name === 'PasswordException';
    throw new InvalidInput(locked ? 'PDF: protected by a password' : 'PDF: cannot be read', { cause: error });
  }
}

const BREAKS = ['', '\n', '\n\n'] as const;

/** The readable text; white space that a browser would fold is folded, every piece knows its place in the source. */
function extractHtml(source: string): Extracted {
  const pieces: Piece[] = [];
  const headings = new Set<number>();
  const parts: string[] = [];
  let length = 0;
  for (const run of htmlRuns(source)) {
    const separator = length === 0 ? '' : BREAKS[run.breakBefore];
    if (run.text.trim() === '' && separator !== '') continue;
    parts.push(separator, run.text);
    length += separator.length;
    if (run.breakBefore === 2) headings.add(length);
    pieces.push({ textStart: length, sourceStart: run.start, sourceEnd: run.end });
    length += run.text.length;
  }
  return { kind: 'html', source, text: parts.join(''), pieces, pageStarts: [], headings };
}

/** Where a stretch of the text came from in the source. */
export function sourceRange({ pieces, text, source }: Extracted, start: number, end: number) {
  if (text === source) return { start, end };
  return { start: sourceOffset(pieces, start), end: sourceOffset(pieces, end - 1) + 1 };
}

/** Inside a decoded entity every place is the entity's own. */
function sourceOffset(pieces: Piece[], offset: number): number {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pieces[middle]?.textStart ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  const piece = pieces[low];
  if (piece === undefined) return 0;
  return Math.min(piece.sourceStart + (offset - piece.textStart), piece.sourceEnd - 1);
}
