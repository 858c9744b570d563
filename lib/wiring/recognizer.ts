import { readRecognitionManifest } from '../adapters/tesseract/manifest.ts';
import { tesseractRecognizer } from '../adapters/tesseract/recognizer.ts';
import type { Config } from '../config.ts';
import { log } from '../log.ts';
import type { Recognizer } from '../ports/recognizer.ts';

/**
 * Opens the currently installed OCR engine (`npm run recognition`); undefined if none is installed, or it's disabled.
 */
export async function openRecognizer({ recognition }: Config): Promise<Recognizer | undefined> {
  const { folder, isOn } = recognition;
  if (folder === undefined || !isOn) return undefined;
  try {
    const manifest = await readRecognitionManifest(folder);
    return manifest && tesseractRecognizer(folder, manifest);
  } catch (error) {
    log.error('failed to read the installed OCR engine', { folder }, error);
    return undefined;
  }
}
