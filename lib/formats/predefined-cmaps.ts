import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { foldersAbove } from '../isolation/folders-above.ts';

/**
 * Adobe's CMaps, which say what the codes of Chinese, Japanese and Korean PDFs mean that embed no font of their own. They
 * lie beside this file, and at the same place below whatever was built of it (infra/local/build.ts, serverless.yml).
 */
const FOLDER = 'lib/formats/cmaps';

/** What the engine needs to read them; nothing where they are not found. */
export function predefinedCmaps(): { cMapUrl?: string } {
  const found = foldersAbove(import.meta.dirname)
    .map((folder) => join(folder, FOLDER))
    .find((folder) => existsSync(folder));
  return found === undefined ? {} : { cMapUrl: `${found}/` };
}
