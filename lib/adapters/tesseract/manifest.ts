import { join } from 'node:path';
import * as z from 'zod';
import { readInstalled } from '../../paths/installed-files.ts';

/** The engine's files by their names in its folder. Language files aren't among them. */
export const ENGINE_FILES = {
  'tesseract.cjs': 'tesseract.js-core/tesseract-core-simd-lstm.js',
  'tesseract.wasm': 'tesseract.js-core/tesseract-core-simd-lstm.wasm',
  'pdf.mjs': 'pdfjs-dist/legacy/build/pdf.min.mjs',
  'pdf.worker.mjs': 'pdfjs-dist/legacy/build/pdf.worker.min.mjs',
  'jbig2.wasm': 'pdfjs-dist/wasm/jbig2.wasm',
  'openjpeg.wasm': 'pdfjs-dist/wasm/openjpeg.wasm',
  'qcms_bg.wasm': 'pdfjs-dist/wasm/qcms_bg.wasm',
};

/** The suffix of a language's file name. */
export const LANGUAGE_FILE = '.traineddata.gz';
/** Matches the valid language names. */
export const LANGUAGE = /^\w+$/;

/**
 * The installation in DATA_DIR/recognition. Its manifest is written last; without a manifest, nothing counts
 * as installed. The hashes are those of the downloaded files, and each process that loads the files compares
 * them.
 */
const manifestSchema = z.object({
  /**
   * Identifies the recognizer by part of a hash of all files. Texts from a recognizer with another ID are
   * read again.
   */
  id: z.string(),
  /** The languages in the order in which they are tried. */
  languages: z.array(z.string().regex(LANGUAGE)).min(1),
  /** Packages with their versions, or a folder. */
  source: z.string(),
  installedAt: z.string(),
  files: z.record(z.string(), z.object({ bytes: z.number().int(), sha256: z.string() })),
});
export type RecognitionManifest = z.infer<typeof manifestSchema>;

export function engineFolder(folder: string): string {
  return join(folder, 'engine');
}

/** Returns the manifest; undefined if nothing is installed. Throws if the manifest is unreadable. */
export function readRecognitionManifest(folder: string): Promise<RecognitionManifest | undefined> {
  return readInstalled(folder, manifestSchema);
}
