import {
  AbortException,
  getDocument,
  PDFDataRangeTransport,
  type PDFDocumentLoadingTask,
  PDFWorker,
  version,
} from 'pdfjs-dist';
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { startWorker } from '../../parts/start-worker.ts';
import { type ByteRange, openByteRanges } from '../byte-ranges.ts';

/** Bytes per request; a page of text with its fonts takes a few requests. */
const CHUNK = 256 * 1024;
/** URL of the fonts, character maps, and the decoder that some files need, at the paths in web/vite.config.ts. */
const ASSETS = `${import.meta.env.BASE_URL}assets/pdfjs-${version}/`;

/** The worker, created once for all files in this tab. */
let worker: PDFWorker | undefined;

function theWorker(): PDFWorker {
  if (worker !== undefined && !worker.destroyed) return worker;
  worker = PDFWorker.create({ port: startWorker('pdf-worker', workerAddress) });
  return worker;
}

class Ranges extends PDFDataRangeTransport {
  readonly #read: ByteRange['read'];
  readonly #onError: (error: Error) => void;

  constructor(first: ByteRange, onError: (error: Error) => void) {
    super(first.size, first.bytes, first.bytes.length === first.size);
    this.#read = first.read;
    this.#onError = onError;
  }

  override requestDataRange(begin: number, end: number): void {
    this.#read(begin, end).then((bytes) => this.onDataRange(begin, bytes), this.#onError);
  }
}

/**
 * If the person leaves a PDF while it opens, its reads are rejected inside the library, where no catch can
 * handle the rejection.
 */
window.addEventListener('unhandledrejection', (event) => {
  if (isOfLeftPdf(event.reason)) event.preventDefault();
});

/**
 * Returns whether a rejection belongs to a PDF that was left. The worker's error has no class here, so its
 * text must identify it.
 */
function isOfLeftPdf(reason: unknown): boolean {
  return (
    reason instanceof AbortException ||
    (reason instanceof Error && /^Worker was terminated\.?$/.test(reason.message))
  );
}

/**
 * Opens a PDF of the workspace, and fetches only the parts that are viewed. `onError` is called if a later
 * fetch fails.
 */
export async function openPdf(
  workspaceId: string,
  path: string,
  signal: AbortSignal,
  onError: (error: Error) => void,
): Promise<PDFDocumentLoadingTask> {
  const first = await openByteRanges(workspaceId, path, CHUNK, signal);
  return getDocument({
    range: new Ranges(first, onError),
    length: first.size,
    rangeChunkSize: CHUNK,
    disableAutoFetch: true,
    disableStream: true,
    worker: theWorker(),
    isEvalSupported: false,
    useWasm: false,
    enableXfa: false,
    cMapUrl: `${ASSETS}cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${ASSETS}standard_fonts/`,
    wasmUrl: `${ASSETS}wasm/`,
    verbosity: 0,
  });
}
