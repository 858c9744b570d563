import { InvalidInput } from '../errors.ts';
import { decodeText } from './decode.ts';
import type { FileKind } from './file-kinds.ts';
import { htmlRuns } from './text-runs.ts';

/** More pages than any book; a forged PDF may claim millions. */
const MAX_PAGES = 5000;
const MAX_PDF_MS = 60_000;
const MAX_PDF_CHARACTERS = 20 * 1024 * 1024;

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
  /** False for a decoded entity. */
  verbatim: boolean;
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
  const pieces = [{ textStart: 0, sourceStart: 0, sourceEnd: source.length, verbatim: true }];
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
  const { getDocumentProxy } = await import('unpdf');
  try {
    const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
    try {
      return await readEachPage(pdf);
    } finally {
      await pdf.loadingTask.destroy();
    }
  } catch (error) {
    if (error instanceof InvalidInput) throw error;
    const locked = (error as Error).name === 'PasswordException';
    throw new InvalidInput(locked ? 'PDF: protected by a password' : 'PDF: cannot be read', { cause: error });
  }
}

type Pdf = Awaited<ReturnType<typeof import('unpdf').getDocumentProxy>>;

/** One after the other, with an eye on the time and on what has come together: a small PDF may unfold without end. */
async function readEachPage(pdf: Pdf): Promise<string[]> {
  if (pdf.numPages > MAX_PAGES) throw new InvalidInput(`PDF with more than ${MAX_PAGES} pages`);
  const deadline = Date.now() + MAX_PDF_MS;
  const pages: string[] = [];
  let length = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    const text = await beforeDeadline(readPage(pdf, number), deadline);
    length += text.length;
    if (length > MAX_PDF_CHARACTERS) throw new InvalidInput('PDF with more than 20 MB of text');
    pages.push(text);
  }
  return pages;
}

async function readPage(pdf: Pdf, number: number): Promise<string> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
}

async function beforeDeadline<Value>(work: Promise<Value>, deadline: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const refuse = () => reject(new InvalidInput('PDF: reading it took more than a minute'));
    timer = setTimeout(refuse, Math.max(0, deadline - Date.now()));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
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
    const verbatim = source.slice(run.start, run.end) === run.text;
    pieces.push({ textStart: length, sourceStart: run.start, sourceEnd: run.end, verbatim });
    length += run.text.length;
  }
  return { kind: 'html', source, text: parts.join(''), pieces, pageStarts: [], headings };
}

/** Where a stretch of the text came from in the source. A decoded entity is taken whole. */
export function sourceRange({ pieces, text, source }: Extracted, start: number, end: number) {
  if (text === source) return { start, end };
  const first = pieceAt(pieces, start);
  const last = pieceAt(pieces, end - 1);
  if (first === undefined || last === undefined) return { start: 0, end: 0 };
  return {
    start: first.verbatim ? first.sourceStart + (start - first.textStart) : first.sourceStart,
    // A passage ends in a character that is read, but the break behind a piece would lie beyond it.
    end: last.verbatim ? Math.min(last.sourceStart + (end - last.textStart), last.sourceEnd) : last.sourceEnd,
  };
}

function pieceAt(pieces: Piece[], offset: number): Piece | undefined {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pieces[middle]?.textStart ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return pieces[low];
}
