import { readRecognitionManifest } from '../adapters/tesseract/manifest.ts';
import { tesseractRecognizer } from '../adapters/tesseract/recognizer.ts';
import type { Config } from '../config.ts';
import { log } from '../log.ts';
import type { Recognizer } from '../ports/recognizer.ts';

/** Opens the installed OCR engine (`npm run recognition`), as it is now; undefined if none is installed, or it is disabled. */
export async function openRecognizer({ recognition }: Config): Promise<Recognizer | undefined> {
  const { folder, isOn } = recognition;
  if (folder === undefined || !isOn) return undefined;
  try {
    const manifest = await readRecognitionManifest(folder);
    return manifest && tesseractRecognizer(folder, manifest);
  } catch (error) {
    log.error('the installed text recognition cannot be read', { folder }, error);
    return undefined;
  }
}
