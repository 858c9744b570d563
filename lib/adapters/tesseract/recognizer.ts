import { realpath } from 'node:fs/promises';
import { operatorCommand } from '../../config/installation.ts';
import { NotConfigured } from '../../errors.ts';
import { runIsolated } from '../../isolation/run-isolated.ts';
import type { Recognizer } from '../../ports/recognizer.ts';
import { engineFolder, type RecognitionManifest } from './manifest.ts';

/** Time limit per page, in milliseconds. A dense A4 page takes 5 to 10 seconds on an idle core. */
const TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;

/** Tesseract and pdf.js from a folder, run in a process with limits, because they read untrusted files. */
export function tesseractRecognizer(
  folder: string,
  { id, languages, files }: RecognitionManifest,
): Recognizer {
  return {
    id,
    async readPage(page, { signal } = {}) {
      const { program } = await import('./recognizer-program.ts');
      const engine = { folder: await realpath(engineFolder(folder)).catch(notThere), languages, files };
      const options = { timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES, signal };
      return runIsolated({ ...program, reads: [engine.folder] }, 'readPage', { engine, page }, options);
    },
  };
}

/** Throws because Tesseract was removed while the service runs. */
function notThere(): never {
  throw new NotConfigured(
    'ocr_unavailable',
    `OCR isn't available: its engine was removed. Run ${operatorCommand('recognition install')}.`,
  );
}
