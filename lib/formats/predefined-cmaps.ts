import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { foldersAbove } from '../isolation/folders-above.ts';

/**
 * Adobe's CMaps, which map the codes of Chinese, Japanese and Korean PDFs that embed no font of their own. They
 * are next to this file, and at the same place below each build of it (infra/local/build.ts, serverless.yml).
 */
const FOLDER = 'lib/formats/cmaps';

/** What the engine needs to read them; nothing where they are not found. */
export function predefinedCmaps(): { cMapUrl?: string } {
  const found = foldersAbove(import.meta.dirname)
    .map((folder) => join(folder, FOLDER))
    .find((folder) => existsSync(folder));
  return found === undefined ? {} : { cMapUrl: `${found}/` };
}
