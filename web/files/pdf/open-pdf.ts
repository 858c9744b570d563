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

/** Bytes per request: a page of text and its fonts are a few of them. */
const CHUNK = 256 * 1024;
/** Fonts, character maps and the decoder that some files need, as web/vite.config.ts lays them out. */
const ASSETS = `${import.meta.env.BASE_URL}assets/pdfjs-${version}/`;

/** Created once, for all files of this tab. */
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

/** Reads of a PDF that is left while it opens are rejected inside the library, out of reach of a catch. */
window.addEventListener('unhandledrejection', (event) => {
  if (isOfLeftPdf(event.reason)) event.preventDefault();
});

/** The worker's own error has no class of its own here: it names itself by its text. */
function isOfLeftPdf(reason: unknown): boolean {
  return (
    reason instanceof AbortException ||
    (reason instanceof Error && /^Worker was terminated\.?$/.test(reason.message))
  );
}

/** Opens a PDF of the workspace and fetches only what is looked at. `onError` is called when fetching fails later. */
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
